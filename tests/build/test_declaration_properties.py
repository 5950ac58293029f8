"""What holds for every declaration, right or wrong: it is read, judged, fixed and formatted without a crash and within bounds;
fixes come to an end and a safe one changes no meaning; a layout changes none at all.

``OPGEN_DECLARATIONS=20000`` makes so many schemas, in files of a few each.
"""

import os
import random
import re
import time
from collections import Counter

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opgen.build.check import check
from opgen.build.collect import Sources
from opgen.build.fmt.run import format_source
from opgen.build.lint.fixing import fix
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.schema.aliases import is_written
from opgen.schema.nodes import ListDefault
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema
from opgen.schema.types import returns_none
from opgen.source import Source

SCHEMAS = int(os.environ.get("OPGEN_DECLARATIONS", "300"))
A_FILE = 5  # schemas in a file, at most twice as many
EXAMPLES = SCHEMAS // A_FILE
SECONDS = 10  # of the processor, for all that is done to one file
LINTS = 20 * (1 + 12)  # rounds of fixes, and the fixes of one that are tried by themselves

# fmt: off
RIGHT = 'Tensor|Tensor(a!)|Tensor!|Tensor?|Tensor[]|SymInt|int[]|int=1|float=1.5|bool=True|str="a"|Tensor?=None|int[2]=[1, 2]'
WRONG = "Tensor(a)|Tensor(b!)?|Tensor(a!)[]|int?|SymInt[]|Device|Scalar|Any|ScalarType?=float32|int=1.0|int=1.5|float=1|int=0x10"
WRONG += "|int=1e5|int[]=[1, 2.0]|Tensor=1|Tensor=None|bool=true|str=1|float=1E5|at::Tensor|double|List[int]|Tesnor|const Tensor&"
WRONG += "|Tensor (a!)|Optional[Tensor]|int64_t|none|Tensor?[]=[]"
RESULTS = "()|Tensor|Tensor(a!)|Tensor(a)|Tensor!|None|(Tensor, Tensor)|int|(Tensor(a!), Tensor)|(Tensor(a!) x0, Tensor y)|Tensor[]|("
NAMES = "f|f|f_|f.out|g|g_.Tensor|lib::h|other::f|class|__f__|f.default|zeros"
KEYS = [
    "autogradd: none", "tags: [pointwize]", "tensors: {x0: float [n]}", 'tensors: {x0: "float [n]", return: "x0.dtype [n]"}',
    "scratch: [x1]", "overwrites: [x0, x0]", "autograd: none", "dispatch: cpp", "autogen: [f_, f.out]", "checks: [x1 > 0]",
    "doc: A text: another", "reference: x0 * 2  # é", "fake: none", "side_effects: True", "abi: classic", "# only a comment",
]
STYLES = [
    "'{}'", '"{}"', "|-\n      {}", ">\n        {}", "{}  # opgen: ignore[OPG400, OPG201]", "  {}   # why", "!s {}",
]
# fmt: on
SPICE = [*"()[]!?,=*->. :#\"'|&{}\\\n\t@", "->", "Tensor", "=1", "::", "é", "\u202e", "- ", "...", "\r\n"]


def _word(words):
    return st.sampled_from(words.split("|"))


arguments = st.lists(st.one_of(*[_word(RIGHT)] * 5, _word(WRONG)), max_size=5)
schemas = st.builds(
    lambda name, listed, star, blank, result: f"{name}({_listed(listed, star, blank)}) -> {result}",
    _word(NAMES),
    st.one_of(*[arguments.map(lambda listed: sorted(listed, key=lambda one: "=" in one))] * 4, arguments),
    st.integers(0, 8),
    st.sampled_from([" ", " ", "", "  "]),
    _word(RESULTS),
)
spiced = st.builds(
    lambda text, at, piece: text[: at % 97] + piece + text[at % 97 :], schemas, st.integers(0), st.sampled_from(SPICE)
)
funcs = st.one_of(schemas, schemas, schemas, schemas, schemas, spiced)
styles = st.one_of(st.just("{}"), st.just("{}"), st.sampled_from(STYLES))
entries = st.tuples(funcs, styles, st.lists(st.sampled_from(KEYS), max_size=3, unique=True))
files = st.lists(entries, min_size=1, max_size=2 * A_FILE - 1)


def _listed(types, star, blank):
    named = [type_.partition("=") for type_ in types]
    written = [f"{type_} x{number}{sign}{default}" for number, (type_, sign, default) in enumerate(named)]
    return f",{blank}".join([*written[:star], "*", *written[star:]] if star < len(written) else written)


def _text(file):
    ops = "".join(
        f"  - func: {style.format(func)}\n" + "".join(f"    {key}\n" for key in keys) for func, style, keys in file
    )
    return f"opgen: 1\nnamespace: lib\nops:\n{ops}"


def meaning(file, text):
    """Return what callers and kernels of each op that can be read depend on."""
    library = check(file, lambda _path: (Source(str(file), text), [])).library
    return {
        (op.qualified_name, op.contract, tuple(map(_argument(op), op.schema.arguments)), _results(op))
        for op in (library.ops if library else ())
    }


def _argument(op):
    def of(argument):
        type_ = re.sub(r"\(\w*!?\)|[!\s]", "", op.spec.func.value[slice(*argument.type.span)])
        default = argument.default
        items = default.items if isinstance(default, ListDefault) else (default,)
        values = tuple(getattr(item, "value", None) for item in items)
        return (argument.name, type_, default is None, values, argument.kwarg_only, is_written(argument))

    return of


def _results(op):
    return tuple(is_written(result) for result in op.schema.returns if not returns_none(result))


def findings(linted):
    return Counter((one.code.id, one.op, one.message) for one in linted.found)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(written=files, unsafe=st.booleans())
def test_a_declaration_is_read_judged_fixed_and_formatted(tmp_path_factory, written, unsafe):
    start = time.process_time()
    for func, _, _ in written:
        _parse(func)
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    text = _text(written)
    file.write_text(text, encoding="utf-8", newline="")
    runs = 0

    def judge(texts):
        nonlocal runs
        runs += 1
        return lint(Sources((file,)), Selection(), texts)

    fixed = fix(judge, unsafe=unsafe)
    (after,) = fixed.texts.values() or [text]
    assert runs <= LINTS
    if not unsafe:
        assert meaning(file, text) <= meaning(file, after)

    file.write_text(after, encoding="utf-8", newline="")
    assert not fix(judge, unsafe=unsafe).texts

    _format(file, after, judge({}))
    assert time.process_time() - start < SECONDS


def _parse(func):
    schema = parse_schema(func).schema
    if schema is not None:
        canonical = print_schema(schema)
        assert print_schema(parse_schema(canonical).schema) == canonical


def _format(file, text, linted):
    formatted, found = format_source(Source(str(file), text))
    assert "OPG180" not in {one.code.id for one in found}
    assert not (found and formatted.is_changed)
    again, _ = format_source(Source(str(file), formatted.text))
    assert not again.is_changed
    assert meaning(file, formatted.text) == meaning(file, text)
    file.write_text(formatted.text, encoding="utf-8", newline="")
    assert findings(lint(Sources((file,)), Selection())) == findings(linted)


class Layout:
    """Writes random documents in random styles: brackets, blocks, quotes, indentation, blank lines and comments."""

    def __init__(self, generator):
        self.random = generator
        self.count = 0

    def document(self):
        lines = [*self.trivia(0), *self.mapping(0, 0, self.keys(["opgen", "namespace", "ops", "defaults", "include"]))]
        return "\n".join([*self.maybe(["---"]), *lines, *self.trivia(0)]) + self.pick(["", "\n", "\n\n"])

    def maybe(self, lines):
        return lines if self.random.random() < 0.2 else []

    def pick(self, choices):
        return self.random.choice(choices)

    def keys(self, known):
        known = [*known, "x", "return.0", "<= n", "a b"]
        return self.random.sample(known, self.random.randint(1, 4))

    def comment(self):
        self.count += 1
        return f"#c{self.count}" + self.pick(["", " ", " with: [words"])

    def trivia(self, column):
        made = []
        while self.random.random() < 0.3:
            made.append(
                self.pick(["", "   ", " " * column + self.comment(), " " * self.random.randint(0, 9) + self.comment()])
            )
        return made

    def behind(self):
        return self.pick(["", "", "", "  ", " " + self.comment(), "   " + self.comment()])

    def mapping(self, column, depth, keys):
        lines = []
        for key in keys:
            lines += self.trivia(column) if lines else []
            head = " " * column + self.pick([key, key, f'"{key}"', f"'{key}'"]) + self.pick([":", ":", ": ", " :"])
            lines += self.value(head, column, depth, may_be_flush=True)
        return lines

    def sequence(self, column, depth):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.trivia(column) if lines else []
            head = " " * column + "-"
            if depth < 4 and self.random.random() < 0.5:
                gap = self.pick([" ", "   "])
                inner = self.mapping(column + 1 + len(gap), depth + 1, self.keys(["func", "doc", "tensors", "tests"]))
                lines += [head + gap + inner[0].lstrip(), *inner[1:]]
            else:
                lines += self.value(head, column, depth)
        return lines

    def value(self, head, column, depth, *, may_be_flush=False):  # noqa: PLR0911 - one for each kind
        kind = self.random.random() + depth / 8
        inner = column + self.pick([1, 2, 2, 4])
        if kind < 0.25:
            return [
                head + self.behind(),
                *self.trivia(inner),
                *self.mapping(inner, depth + 1, self.keys(["func", "tags"])),
            ]
        if kind < 0.5:
            inner = column if may_be_flush and self.random.random() < 0.4 else inner
            return [head + self.behind(), *self.trivia(inner), *self.sequence(inner, depth + 1)]
        if kind < 0.6:
            header = self.pick(["|", ">", "|-", ">-", "|+", ">+"])
            body = [
                "" if self.random.random() < 0.2 else " " * inner + self.pick(["a", "  b: [", "#d", "c  "])
                for _ in range(3)
            ]
            return [f"{head} {header}{self.behind().rstrip()}", " " * inner + "first", *body]
        if kind < 0.75:
            return [f"{head} {self.brackets(inner)}{self.behind()}"]
        if kind < 0.8:
            return [head, *self.trivia(inner), f"{' ' * inner}{self.word()}{self.behind()}"]
        if kind < 0.85:
            return [f"{head} {self.pick(['a', '.5', 'c['])}", " " * inner + self.pick(["b", "{"]) + self.behind()]
        return [f"{head} {self.word()}{self.behind()}" if self.random.random() < 0.95 else head]

    def word(self):
        return self.pick(
            ["a", "1", "true", "f(Tensor x, int y) -> ()", "a:b", '"q, r"', "'it''s'", "'\\'", '"\\t"', "é", "x.y"]
        )

    def brackets(self, column, depth=0):
        """Write a collection in brackets, sometimes over several lines and with comments."""
        gap = self.pick(["", "", " ", "\n" + " " * column, f" {self.comment()}\n" + " " * column]) if depth == 0 else ""
        parts = []
        is_mapping = self.random.random() < 0.5
        for number in range(self.random.randint(0, 4)):
            value = self.pick(["a", "1", '"q: ["', "'s'", "c d", "e:f"])
            value = self.brackets(column, depth + 1) if depth < 2 and self.random.random() < 0.3 else value
            parts.append(f"{self.pick(['k', 'func', 'kernel'])}{number}: {value}" if is_mapping else value)
        inner = f",{gap or ' '}".join(parts)
        return ("{%s}" if is_mapping else "[%s]") % f"{gap}{inner}{gap}"


def _plain(text):
    return yaml.load(text, yaml.BaseLoader)  # noqa: S506 - texts only


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_layout_keeps_every_value_and_every_comment(seed):
    text = Layout(random.Random(seed)).document()  # noqa: S311 - reproducible, not secret
    formatted, found = format_source(Source("ops.yaml", text))

    assert "OPG180" not in {one.code.id for one in found}, text
    if found:
        assert not formatted.is_changed
        return
    assert _plain(formatted.text) == _plain(text)
    assert sorted(re.findall(r"#c\d+", formatted.text)) == sorted(re.findall(r"#c\d+", text))
    again, _ = format_source(Source("ops.yaml", formatted.text))
    assert again.text == formatted.text
