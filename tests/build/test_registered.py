"""What an ops.yaml says of ops that are registered by hand is compared with their sources, which need not be named."""

from pathlib import Path

import pytest

from opgen.build.collect import collect
from opgen.build.lint.fixing import fix
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Severity


def declare(func, registered="csrc/bindings.cpp"):
    Path("ops.yaml").write_text(
        f"opgen: 1\nnamespace: mylib\nops:\n  - func: {func}\n    registered: {registered}\n    fake: none\n",
        encoding="utf-8",
    )


def define(*schemas, namespace="mylib", tags="", more=""):
    Path("csrc").mkdir(exist_ok=True)
    lines = "".join(f'  m.def("{schema}"{tags});\n' for schema in schemas)
    Path("csrc/bindings.cpp").write_text(f"TORCH_LIBRARY({namespace}, m) {{\n{lines}{more}}}\n", encoding="utf-8")


def found(*paths):
    named = [Path(path) for path in paths or ("ops.yaml",)]
    return [one for one in lint(collect(named), Selection()).reported if one.severity is not Severity.INFO]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_fake_of_a_declared_op_is_not_missed_in_its_source():
    declare("f(Tensor x) -> Tensor")
    define("f(Tensor x) -> Tensor", "undeclared(Tensor x) -> Tensor")
    assert [(one.code.name, one.op) for one in found("ops.yaml", "csrc")] == [("fake-missing", "mylib::undeclared")]


@pytest.mark.parametrize(
    ("declared", "defined", "words"),
    [
        ("f(Tensor x, int n) -> Tensor", "f(Tensor(a!) x, int n) -> Tensor", "`Tensor(a!) x` there, `Tensor x` here"),
        ("f(Tensor(a!) x, int n) -> ()", "f(Tensor(a!) x, SymInt n) -> ()", "`SymInt n` there, `int n` here"),
        ("f(Tensor(a!) x) -> ()", "f(Tensor(a!) x, int n=1) -> ()", "`int n=1` there, no 'n' here"),
        ("f(Tensor(a!) x, int n=2) -> ()", "f(Tensor(a!) x, int n=1) -> ()", "`int n=1` there, `int n=2` here"),
        ("f(Tensor(a!) x, int m) -> ()", "f(Tensor(a!) x, *, int m) -> ()", "(m) behind the `*` there, no `*` here"),
        (
            "f(Tensor(a!) x, int m, int n) -> ()",
            "f(Tensor(a!) x, int n, int m) -> ()",
            "order of arguments is (x, n, m)",
        ),
        ("f(Tensor(a!) x) -> ()", "f(Tensor(a!) x) -> Tensor", "it returns `Tensor` there, `()` here"),
        ("f(Tensor(a!) x) -> ()", "g(Tensor(a!) x) -> ()", "'csrc/bindings.cpp' does not define 'mylib::f'"),
        ("f(Tensor(a!) x) -> ()", "f.one(Tensor(a!) x) -> ()", "does not define 'mylib::f'"),
    ],
)
def test_a_difference_is_found_at_the_declaration(declared, defined, words):
    declare(declared)
    define(defined)
    (finding,) = found()
    assert finding.code.name == "registered-differs"
    assert (finding.location.source.path, finding.location.start.line, finding.op) == ("ops.yaml", 4, "mylib::f")
    assert words in finding.message


@pytest.mark.parametrize(
    ("declared", "defined"),
    [
        ("f(Tensor(a!) x, Tensor(b!) y) -> ()", "f(Tensor(x!) x, Tensor! y) -> ()"),
        ("f(Tensor(a!) x, float eps=1e-6) -> ()", "f(Tensor(a!) x,  float eps=0.000001) -> ()"),
        ("f(Tensor(a!) x) -> ()", "mylib::f(Tensor(a!) x) -> ()"),
    ],
)
def test_another_spelling_is_no_difference(declared, defined):
    declare(declared)
    define(defined)
    assert not found()


def test_a_namespace_that_only_the_build_knows_is_taken_for_the_declared_one():
    declare("f(Tensor(a!) x) -> ()")
    define("f(Tensor(a!) x) -> ()", namespace="TORCH_EXTENSION_NAME")
    assert not found()
    define("f(Tensor(a!) y) -> ()", namespace="TORCH_EXTENSION_NAME")
    assert "no 'y' here" in found()[0].message


def test_an_op_of_another_namespace_is_named():
    declare("f(Tensor(a!) x) -> ()")
    define("f(Tensor(a!) x) -> ()", namespace="other")
    assert "`other::f`" in found()[0].help


def test_where_a_registration_could_not_be_read_nothing_is_missing():
    declare("f(Tensor(a!) x) -> ()")
    define(more="  m.def(SCHEMA);\n")
    assert not found()


def test_the_definition_may_stand_in_another_source_that_is_read():
    declare("f(Tensor(a!) x) -> ()")
    define()
    Path("csrc/schemas.cpp").write_text('TORCH_LIBRARY_FRAGMENT(mylib, m) { m.def("f(Tensor(a!) x) -> ()"); }\n')
    assert [one.code.name for one in found()] == ["registered-differs"]
    assert not found("ops.yaml", "csrc")


def test_a_tag_that_the_contract_denies_is_found():
    declare("f(Tensor(a!) x) -> ()")
    define("f(Tensor(a!) x) -> ()", tags=", {at::Tag::inplace}")
    assert "the tag 'inplace'" in found()[0].message


def test_a_python_source_is_compared_as_well():
    declare("f(Tensor(a!) x) -> ()", "defs.py")
    Path("defs.py").write_text(
        'import torch\n\nLIBRARY = torch.library.Library("mylib", "DEF")\nLIBRARY.define("f(Tensor(a!) x, int n) -> ()")\n'
    )
    assert "`int n` there, no 'n' here" in found()[0].message


def test_a_source_that_nobody_named_is_only_compared():
    declare("f(Tensor(a!) x) -> ()")
    define("f(Tensor(a!) x) -> ()", "g(Tensor x) -> ()")
    assert not found()
    assert [one.code.name for one in found("ops.yaml", "csrc")] == ["no-effect"]


def test_the_schema_of_the_source_is_an_unsafe_fix():
    declare("f(Tensor x, float eps) -> Tensor")
    define('f(Tensor(a!) x, "\n         "float eps=1e-6) -> ()')
    sources = collect([Path("ops.yaml")])
    fixed = fix(lambda texts: lint(sources, Selection(), texts), unsafe=True)
    assert "  - func: f(Tensor(a!) x, float eps=1e-6) -> ()\n" in fixed.texts["ops.yaml"]
    assert not fix(lambda texts: lint(sources, Selection(), texts), unsafe=False).texts
