"""Fixes of C++ and Python sources: the text is edited where the schema stands, in whatever literal that is."""

from pathlib import Path

import pytest

from opgen.build.collect import collect
from opgen.build.lint.fixing import fix
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection

BLOCK = "TORCH_LIBRARY(mylib, m) {{\n  m.def({});\n}}\n"
WRITES = (
    "void f(at::Tensor& x, at::Tensor& y) { x.add_(1); y.zero_(); }\n"
    'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("f", &f); }\n'
)
PYTHON = "import torch\n\n"
DEFINE = f'{PYTHON}LIB = torch.library.Library("mylib", "DEF")\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def fixed(path, text, *, unsafe):
    """Return the text of a file after its fixes, which must not be made twice."""
    Path(path).write_text(text, encoding="utf-8")
    sources = collect([Path(path)])
    result = fix(lambda texts: lint(sources, Selection(), texts), unsafe=unsafe)
    after = result.texts.get(path, text)
    assert not fix(lambda texts: lint(sources, Selection(), {path: after, **texts}), unsafe=unsafe).texts
    return after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"f(Tensor x, Tensor(a!) y) -> ()"', '"f(Tensor(b!) x, Tensor(a!) y) -> ()"'),
        (
            '"f("\n        "Tensor x, "\n        "Tensor(a!) y) -> ()"',
            '"f("\n        "Tensor(b!) x, "\n        "Tensor(a!) y) -> ()"',
        ),
        ('R"(f(Tensor x,\n  Tensor(a!) y) -> ())"', 'R"(f(Tensor(b!) x,\n  Tensor(a!) y) -> ())"'),
        ('R"__(f(\n    Tensor x,\n  Tensor(a!) y) -> ())__"', 'R"__(f(\n    Tensor(b!) x,\n  Tensor(a!) y) -> ())__"'),
        (
            'TORCH_SELECTIVE_SCHEMA("f(Tensor x, Tensor! y) -> ()")',
            'TORCH_SELECTIVE_SCHEMA("f(Tensor(a!) x, Tensor! y) -> ()")',
        ),
        ('"f(Tensor(x) x, Tensor(a!) y) -> ()"', '"f(Tensor(x!) x, Tensor(a!) y) -> ()"'),
    ],
)
def test_a_mark_is_put_into_the_literal_that_holds_the_schema(before, after):
    text = BLOCK.format(before) + WRITES
    assert fixed("ops.cpp", text, unsafe=False) == text
    assert fixed("ops.cpp", text, unsafe=True) == BLOCK.format(after) + WRITES


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"f(Tensor(a!) x, int n=0.0) -> ()"', '"f(Tensor(a!) x, int n=0) -> ()"'),
        ('"f(Tensor(a!) x, "\n        "int n=2.0) -> ()"', '"f(Tensor(a!) x, "\n        "int n=2) -> ()"'),
        ('"f(Tensor(a!) x, int n=2"\n        ".0) -> ()"', '"f(Tensor(a!) x, int n=2"\n        ".0) -> ()"'),
        ('"f(Tensor(a!) x, double s) -> ()"', '"f(Tensor(a!) x, float s) -> ()"'),
        ('"f(Tensor(a!) x) -> None"', '"f(Tensor(a!) x) -> ()"'),
        ('"f(Tensor(a!) x, Tensor(a!) y) -> ()"', '"f(Tensor(a!) x, Tensor(b!) y) -> ()"'),
        ('"\\146(Tensor(a!) x, int n=0.0) -> ()"', '"\\146(Tensor(a!) x, int n=0) -> ()"'),
    ],
)
def test_a_safe_fix_of_a_schema_is_made_in_a_literal_of_cpp_unless_it_would_cross_two(before, after):
    assert fixed("ops.cpp", BLOCK.format(before), unsafe=False) == BLOCK.format(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('LIB.define("f(Tensor(a!) x, int n=0.0) -> ()")\n', 'LIB.define("f(Tensor(a!) x, int n=0) -> ()")\n'),
        (
            "LIB.define('f(Tensor(a!) x, '\n    'bool b=1) -> ()')\n",
            "LIB.define('f(Tensor(a!) x, '\n    'bool b=True) -> ()')\n",
        ),
        (
            'LIB.define("""f(Tensor(a!) x,\n  int n=1.0) -> ()""")\n',
            'LIB.define("""f(Tensor(a!) x,\n  int n=1) -> ()""")\n',
        ),
        (
            'NAME = "f"\nLIB.define(f"{NAME}(Tensor(a!) x, int n=1.0) -> ()")\n',
            'NAME = "f"\nLIB.define(f"{NAME}(Tensor(a!) x, int n=1) -> ()")\n',
        ),
        (
            'NAME = "f"\nLIB.define(NAME + "(Tensor(a!) x, int n=1.0) -> ()")\n',
            'NAME = "f"\nLIB.define(NAME + "(Tensor(a!) x, int n=1) -> ()")\n',
        ),
        (
            'S = "f(Tensor(a!) x, int n=1.0) -> ()"\nLIB.define(S)\n',
            'S = "f(Tensor(a!) x, int n=1) -> ()"\nLIB.define(S)\n',
        ),
        (
            'LIB.define("f(Tensor(a!) x, int n={}) -> ()".format("1.0"))\n',
            'LIB.define("f(Tensor(a!) x, int n={}) -> ()".format("1.0"))\n',
        ),
        (
            'LIB.define("f(Tensor(a!) x, Tensor(a!) y) -> ()")  # é\n',
            'LIB.define("f(Tensor(a!) x, Tensor(b!) y) -> ()")  # é\n',
        ),
    ],
)
def test_a_safe_fix_of_a_schema_is_made_in_a_string_of_python_if_it_stands_there(before, after):
    assert fixed("ops.py", DEFINE + before, unsafe=False) == DEFINE + after


@pytest.mark.parametrize(
    ("before", "after", "is_x_written"),
    [
        ("()", '("out",)', False),
        ("[]", '["out"]', False),
        ("set()", '{"out"}', False),
        ('("x",)', '("x", "out")', True),
        ("{'x'}", '{"x", "out"}', True),
        ("tuple(NAMES)", "tuple(NAMES)", True),
    ],
)
def test_what_is_written_is_named(before, after, is_x_written):
    def module(names):
        return (
            f'{PYTHON}NAMES = ["x"]\n@torch.library.custom_op("mylib::f", mutates_args={names})\n'
            "def f(x: torch.Tensor, out: torch.Tensor) -> None:\n    out.copy_(x)\n" + "    x.zero_()\n" * is_x_written
        )

    assert fixed("ops.py", module(before), unsafe=True) == module(after)


@pytest.mark.parametrize(
    ("before", "after", "unsafe"),
    [
        ('("x", "out")', '("out",)', True),
        ('["x", "out"]', '["out"]', True),
        ('("out")', '("out",)', False),
        ('"out"', '("out",)', False),
    ],
)
def test_names_of_written_arguments_are_mended(before, after, unsafe):
    def module(names):
        return (
            f'{PYTHON}@torch.library.custom_op("mylib::f", mutates_args={names})\n'
            "def f(x: torch.Tensor, out: torch.Tensor) -> None:\n    out.add_(x)\n"
        )

    assert fixed("ops.py", module(before), unsafe=unsafe) == module(after)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "ops.cpp",
            BLOCK.format('"f_(Tensor(a!) x) -> Tensor(a!)"'),
            BLOCK.format('"f_(Tensor(a!) x) -> Tensor(a!)", {at::Tag::inplace}'),
        ),
        (
            "ops.cpp",
            BLOCK.format('R"(f_(Tensor(a!) x) -> Tensor(a!))"'),
            BLOCK.format('R"(f_(Tensor(a!) x) -> Tensor(a!))", {at::Tag::inplace}'),
        ),
        (
            "ops.cpp",
            BLOCK.format('"f_(Tensor(a!) x) -> Tensor(a!)", {at::Tag::pointwise}'),
            BLOCK.format('"f_(Tensor(a!) x) -> Tensor(a!)", {at::Tag::inplace, at::Tag::pointwise}'),
        ),
        (
            "ops.py",
            f'{DEFINE}LIB.define("f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")\n',
            f'{DEFINE}LIB.define("f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", tags=torch.Tag.out)\n',
        ),
        (
            "ops.cpp",
            BLOCK.format('"f(Tensor(a!) x) -> ()", {at::Tag::pointwize}'),
            BLOCK.format('"f(Tensor(a!) x) -> ()", {at::Tag::pointwise}'),
        ),
        (
            "ops.cpp",
            "TORCH_LIBRARY(mylib, m) {}\nSTABLE_TORCH_LIBRARY(mylib, m) {}\n",
            "TORCH_LIBRARY(mylib, m) {}\nSTABLE_TORCH_LIBRARY_FRAGMENT(mylib, m) {}\n",
        ),
        (
            "ops.py",
            f'{DEFINE}LIB.define("f(Tensor x) -> Tensor")\ntorch.library.register_fake("f", lambda x: torch.empty_like(x))\n',
            f'{DEFINE}LIB.define("f(Tensor x) -> Tensor")\ntorch.library.register_fake("mylib::f", lambda x: torch.empty_like(x))\n',
        ),
        (
            "ops.cpp",
            BLOCK.format('"f(Tensor(a!) x, int n) -> ()"')
            + 'void f(at::Tensor& x, int n) {}\nTORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("f", &f); }\n',
            BLOCK.format('"f(Tensor(a!) x, int n) -> ()"')
            + 'void f(at::Tensor& x, int64_t n) {}\nTORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("f", &f); }\n',
        ),
    ],
)
def test_an_unsafe_fix_of_a_registration_is_made_on_request(path, before, after):
    assert fixed(path, before, unsafe=False) == before
    assert fixed(path, before, unsafe=True) == after


def test_a_misspelt_name_of_a_written_argument_is_mended():
    def module(names):
        return (
            f'{PYTHON}@torch.library.custom_op("mylib::f", mutates_args={names})\n'
            "def f(x: torch.Tensor, output: torch.Tensor) -> None:\n    output.add_(x)\n"
        )

    assert fixed("ops.py", module('("outptu",)'), unsafe=True) == module('("output",)')
    assert fixed("ops.py", module('["nothing"]'), unsafe=True) == module('["nothing"]')


def test_a_fake_takes_the_dtype_of_its_input():
    def module(dtype):
        return (
            f'{DEFINE}LIB.define("f(Tensor x) -> Tensor")\nLIB.impl("f", lambda x: torch.empty_like(x), "CPU")\n'
            f'@torch.library.register_fake("mylib::f")\ndef _(x):\n    return x.new_empty(x.shape, dtype={dtype})\n'
        )

    assert fixed("ops.py", module("torch.half"), unsafe=False) == module("torch.half")
    assert fixed("ops.py", module("torch.half"), unsafe=True) == module("x.dtype")


def test_an_out_op_becomes_the_overload_of_its_functional_op():
    text = "opgen: 1\nnamespace: mylib\nops:\n  - func: f(Tensor x) -> Tensor\n  - func: {}(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n"
    assert fixed("ops.yaml", text.format("f_out"), unsafe=True) == text.format("f.out")


def fake(schema, parameters):
    return (
        f'{DEFINE}LIB.define("f{schema} -> Tensor")\n'
        f'@torch.library.register_fake("mylib::f")\ndef _({parameters}):\n    return torch.empty_like(x)\n'
    )


@pytest.mark.parametrize(
    ("schema", "before", "after"),
    [
        ("(Tensor x, float eps=1e-6)", "x, eps", "x, eps=1e-6"),
        ("(Tensor x, float eps=1e-6)", "x, eps: float", "x, eps: float = 1e-6"),
        ("(Tensor x, *, int[] n=[1, 2])", "x, *, n", "x, *, n=[1, 2]"),
        ("(Tensor x, str mode='mean', int? n=None)", "x, mode, n", "x, mode='mean', n=None"),
        ("(Tensor x, int n=1, int m=2)", "x, n, m=2", "x, n=1, m=2"),
        ("(Tensor x, ScalarType d=float32)", "x, d", "x, d"),
    ],
)
def test_a_default_of_the_schema_is_repeated(schema, before, after):
    assert fixed("ops.py", fake(schema, before), unsafe=False) == fake(schema, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(Tensor x) -> Tensor(a)", "f(Tensor x) -> Tensor"),
        ("f_(Tensor! x) -> Tensor!", "f_(Tensor(a!) x) -> Tensor(a!)"),
        ("f_(Tensor(b!) x) -> Tensor!", "f_(Tensor(b!) x) -> Tensor(b!)"),
        ("f(Tensor x, int from=1) -> Tensor", "f(Tensor x, int from_=1) -> Tensor"),
        ("f(Tensor x, int from=1, int from_=2) -> Tensor", "f(Tensor x, int from=1, int from_=2) -> Tensor"),
        ("f(Tensor(a!) x, int! n) -> ()", "f(Tensor(a!) x, int n) -> ()"),
        (
            "f.out(Tensor x, *, Tensor(a!) p, Tensor(b!) q) -> (Tensor(b!) q, Tensor(a!) p)",
            "f.out(Tensor x, *, Tensor(a!) p, Tensor(b!) q) -> (Tensor(a!) p, Tensor(b!) q)",
        ),
    ],
)
def test_an_unsafe_fix_of_a_declaration_is_made_on_request(before, after):
    head = "opgen: 1\nnamespace: mylib\nops:\n  - func: "
    assert fixed("ops.yaml", f"{head}{before}\n", unsafe=False) == f"{head}{before}\n"
    assert fixed("ops.yaml", f"{head}{before}\n", unsafe=True) == f"{head}{after}\n"
