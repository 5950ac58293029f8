"""What holds for fixes of any declaration: no crash, nothing left to do, and a safe one changes no meaning."""

import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opgen.build.check import check
from opgen.build.collect import Sources
from opgen.build.lint.fixing import fix
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.schema.aliases import is_written
from opgen.schema.nodes import ListDefault
from opgen.schema.types import returns_none
from opgen.source import Source

EXAMPLES = int(os.environ.get("OPGEN_FIX_EXAMPLES", "60"))

TYPES = [
    "Tensor",
    "Tensor!",
    "Tensor(a!)",
    "Tensor(a)",
    "Tensor?",
    "Tensor[]",
    "int",
    "int?",
    "int[]",
    "int[2]",
    "SymInt",
]
TYPES += [
    "float",
    "float?",
    "bool",
    "str",
    "ScalarType?",
    "at::Tensor",
    "double",
    "List[int]",
    "Tesnor",
    "const Tensor&",
]
DEFAULTS = [
    "",
    "=1",
    "=1.0",
    "=1.5",
    "=0x10",
    "=1e5",
    "=None",
    "=True",
    "=true",
    "=[]",
    "=[1, 2.0]",
    '="a"',
    "=float32",
]
RETURNS = [
    "()",
    "Tensor",
    "Tensor(a!)",
    "Tensor(a)",
    "Tensor!",
    "None",
    "(Tensor, Tensor)",
    "int",
    "(Tensor(a!), Tensor)",
]
NAMES = ["f", "f_", "f.out", "f.default", "zeros"]

arguments = st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(DEFAULTS)), min_size=1, max_size=4)
funcs = st.builds(
    lambda name, args, star, result: f"{name}({_listed(args, star)}) -> {result}",
    st.sampled_from(NAMES),
    arguments,
    st.integers(0, 4),
    st.sampled_from(RETURNS),
)
keys = st.sampled_from(
    ["", "    autogradd: none\n", "    tags: [pointwize]\n", "    tensors: {x0: float [n]}\n", "    scratch: [x1]\n"]
)
styles = st.sampled_from(["{}", "'{}'", "|-\n      {}", "{}  # opgen: ignore[OPG400, OPG201]"])


def _listed(args, star):
    written = [f"{type_} x{number}{default}" for number, (type_, default) in enumerate(args)]
    return ", ".join([*written[:star], "*", *written[star:]] if star < len(written) else written)


def meaning(file, texts):
    """Return what callers and kernels of each op that can be read depend on."""
    return {
        (op.qualified_name, op.contract, tuple(map(_argument(op), op.schema.arguments)), _results(op))
        for op in check(file, texts).library.ops
    }


def _argument(op):
    def of(argument):
        type_ = re.sub(r"\(\w*!?\)|!", "", op.spec.func.value[slice(*argument.type.span)])
        default = argument.default
        items = default.items if isinstance(default, ListDefault) else (default,)
        values = tuple(getattr(item, "value", None) for item in items)
        return (argument.name, type_, default is None, values, argument.kwarg_only, is_written(argument))

    return of


def _results(op):
    return tuple(is_written(result) for result in op.schema.returns if not returns_none(result))


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=st.lists(st.tuples(funcs, styles, keys), min_size=1, max_size=3), unsafe=st.booleans())
def test_fixes_end_help_and_keep_the_meaning(tmp_path_factory, entries, unsafe):
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    ops = "".join(f"  - func: {style.format(func)}\n{key}" for func, style, key in entries)
    text = f"opgen: 1\nnamespace: lib\nops:\n{ops}"
    file.write_text(text, encoding="utf-8")

    def judge(texts):
        return lint(Sources((file,)), Selection(), texts)

    fixed = fix(judge, unsafe=unsafe)
    file_before = meaning(file, _reader(file, text))
    (after,) = fixed.texts.values() or [text]
    if not unsafe:
        assert file_before <= meaning(file, _reader(file, after))

    file.write_text(after, encoding="utf-8")
    assert not fix(judge, unsafe=unsafe).texts


def _reader(file, text):
    return lambda _path: (Source(str(file), text), [])
