"""The examples of `docs/tensors.md` are right."""

import re
from itertools import pairwise
from pathlib import Path
from textwrap import indent

import pytest

from opgen.diagnostics import ordered
from opgen.model.build import build_library
from opgen.model.unsupported import unsupported
from opgen.spec.load import load_library

PAGE = Path(__file__).parents[2] / "docs" / "tensors.md"
BLOCK = re.compile(r"```(yaml|text plan|text error|text unsupported)\n(.*?)```", re.DOTALL)


def examples():
    """Yield each example with the kind and text of the block behind it that says what it means, if there is one."""
    blocks = [*BLOCK.findall(PAGE.read_text(encoding="utf-8")), ("yaml", "")]
    for (kind, text), (next_kind, next_text) in pairwise(blocks):
        if kind == "yaml":
            yield text, next_kind, next_text


@pytest.mark.parametrize(("ops", "kind", "expected"), [*examples()])
def test_an_example_means_what_the_page_says(ops, kind, expected, tmp_path, plan_lines):
    path = tmp_path / "ops.yaml"
    path.write_text(f"opgen: 1\nnamespace: mylib\nops:\n{indent(ops, '  ')}", encoding="utf-8")
    loaded = load_library(path)
    assert not loaded.diagnostics, loaded.diagnostics
    built = build_library(loaded.library)
    found = [f"{each.code.id} {each.message}" for each in ordered(built.diagnostics)]
    assert found == (expected.splitlines() if kind == "text error" else [])
    told = [f"{each.code.id} {each.message}" for each in unsupported(built.library)]
    assert told == (expected.splitlines() if kind == "text unsupported" else [])
    if kind == "text plan":
        (op,) = built.library.ops
        assert plan_lines(op.tensors) == expected.splitlines()
