"""Every character of a YAML scalar knows where it stands in the file, whatever the style of the scalar."""

from itertools import pairwise

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from opgen.source import Source
from opgen.spec.yaml import Scalar
from opgen.spec.yaml.composer import compose

TEXTS = st.text(alphabet=list("ab:#'\"\\ \n\t-é😀[],{}|>&*!%@`x0"), max_size=30)
BODIES = st.text(alphabet=list("ab \n\t\\n'é\r"), max_size=25)
HEADERS = ["|", ">", "|-", ">+", "|2", ">1-", "| # a comment"]


def scalars(node):
    if isinstance(node, Scalar):
        yield node.text
    else:
        for child in node.pairs if hasattr(node, "pairs") else node.items:
            if hasattr(child, "key"):
                yield child.key.text
                yield from scalars(child.value)
            else:
                yield from scalars(child)


def offsets(text):
    return text.offsets or tuple(range(text.base, text.base + len(text.value) + 1))


def check(document):
    """Each character stands at its place; a folded blank at the line break, an escaped one at its backslash."""
    root, _ = compose(Source("ops.yaml", document))
    for text in scalars(root):
        places = offsets(text)
        assert len(places) == len(text.value) + 1
        assert all(before < after for before, after in pairwise(places)), (document, places)
        for character, place in zip(text.value, places, strict=False):
            written = document[place]
            is_folded = character in " \n" and written in "\r\n"
            is_escape = written == "\\" and '"' in document
            assert written == character or is_folded or is_escape, (document, text.value, places)


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def parser(request, monkeypatch):
    loader = {"libyaml": yaml.CSafeLoader, "python": yaml.SafeLoader}[request.param]
    monkeypatch.setattr("opgen.spec.yaml.composer.LOADER", loader)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from([None, "'", '"', "|", ">"]), st.integers(5, 40), st.booleans(), st.booleans())
def dumped_texts_are_found_again(text, style, width, crlf, unicode):
    document = yaml.safe_dump({"k": [{"a": text}]}, default_style=style, width=width, allow_unicode=unicode)
    check(document.replace("\n", "\r\n") if crlf else document)


@settings(max_examples=600, deadline=None)
@given(BODIES, st.sampled_from(["", "'", '"', *HEADERS]), st.sampled_from(["", "  "]))
def texts_as_written_by_hand_are_found_again(body, style, pad):
    if style in HEADERS:
        lines = [
            f"   {pad}{line}" if line.strip() or len(line) % 2 else line for line in body.splitlines(keepends=True)
        ]
        document = f"k:\n - {style}\n{''.join(lines)}\nz: 1\n"
    else:
        indented = body.replace("\n", f"\n   {pad}")
        document = f"k:\n  - {style or 'x'}{indented}{style}\nz: 1\n"
    try:
        list(yaml.parse(document, Loader=yaml.SafeLoader))
    except yaml.YAMLError:
        return  # what can't be read has no places
    if "\r" not in document.replace("\r\n", ""):
        check(document)


def test_every_character_of_a_dumped_text_maps_to_itself():
    dumped_texts_are_found_again()


def test_every_character_of_a_text_written_by_hand_maps_to_itself():
    texts_as_written_by_hand_are_found_again()


@pytest.mark.parametrize(
    ("document", "value", "places"),
    [
        ("k: ab", "ab", (3, 4, 5)),
        ("k: a\n  b\n", "a b", (3, 4, 7, 8)),
        ("k: a\n\n\n  b\n", "a\n\nb", (3, 5, 6, 9, 10)),
        ("k: 'a''b'", "a'b", (4, 5, 7, 8)),
        (r'k: "a\tb"', "a\tb", (4, 5, 7, 8)),
        (r'k: "\x41\u00e9b"', "Aéb", (4, 8, 14, 15)),
        ('k: "a\\\n   b"', "ab", (4, 10, 11)),
        ("k: |\n  a\n   b\n", "a\n b\n", (7, 8, 11, 12, 13, 14)),
        ("k: >-\n  a\n  b\n\n", "a b", (8, 9, 12, 13)),
        ("k: >\n  a\n\n   b\n  c\n", "a\n\n b\nc\n", (7, 8, 9, 12, 13, 14, 17, 18, 19)),
        ("k: >\n  a\n   b\n\n  c\n", "a\n b\n\nc\n", (7, 8, 11, 12, 13, 14, 17, 18, 19)),
        ("k: &anchor # why\n  ab\n", "ab", (19, 20, 21)),
        ("\ufeff\u00e9: 😀y\r\n", "😀y", (3, 4, 5)),
        ("k: |\n", "", (5,)),
        ("k:\n", "", (2,)),
    ],
)
def test_a_scalar_of_each_style_has_these_places(document, value, places):
    text = next(iter(scalars(compose(Source("ops.yaml", document.lstrip("\ufeff")))[0].pairs[0].value)))

    assert text.value == value
    assert offsets(text) == places
