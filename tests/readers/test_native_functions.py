"""PyTorch's own declarations, in the format of torchgen."""

from pathlib import Path

import pytest

from opgen.build.collect import Sources, collect
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Severity

HEAD = "- func: add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor\n  tags: [core, pointwise]\n"


@pytest.fixture
def found(tmp_path):
    def call(text):
        file = tmp_path / "native_functions.yaml"
        file.write_text(text, encoding="utf-8")
        linted = lint(Sources(native=(file,)), Selection())
        return [f"{one.location.start.line} {one.code.name} {one.op}" for one in linted.reported]

    return call


def test_the_file_is_known_by_its_name(tmp_path):
    for name in ("native_functions.yaml", "ops.yaml", "other.yaml"):
        (tmp_path / name).write_text("")
    assert collect([tmp_path]) == Sources((tmp_path / "ops.yaml",), native=(tmp_path / "native_functions.yaml",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  variants: function, method\n  dispatch:\n    CPU: add_cpu\n", []),
        ("- func: view(Tensor(a) self, SymInt[] size) -> Tensor(a)\n", []),
        ("- func: lost(Tensor x, double eps) -> Tensor\n", ["3 unknown-type aten::lost"]),
        ("- func: own::lost(Tensor x, double eps) -> Tensor\n", ["3 unknown-type own::lost"]),
        ("- func: add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor\n", ["3 two-definitions aten::add"]),
        ("- func: f(Tensor(a!) x, Tensor(a!) y) -> ()  # opgen: ignore[shared-alias-set]\n", []),
        ("- manual: true\n- text\n- [a, {b: c}]\n", []),
        ("- ? [a, b]\n  : {c: [d]}\n  func: lost(Tensor x, double eps) -> Tensor\n", ["5 unknown-type aten::lost"]),
        ("- &a\n  func: once(Tensor x) -> Tensor\n- *a\n", []),
    ],
)
def test_schemas_are_judged_by_the_profile_of_their_namespace(found, text, expected):
    assert found(HEAD + text) == expected


def test_a_file_of_another_form_is_refused(found):
    assert found("opgen: 1\n") == ["1 wrong-type None"]
    assert found("- func: [\n")[0].endswith("yaml-syntax None")


def test_the_file_of_pytorch_has_only_errors_that_are_explained():
    torchgen = pytest.importorskip("torchgen")
    path = Path(torchgen.__path__[0], "packaged/ATen/native/native_functions.yaml")
    linted = lint(Sources(native=(path,)), Selection())
    errors = {one.op.partition(".")[0] for one in linted.reported if one.severity is Severity.ERROR}
    page = Path(__file__).resolve().parents[2] / "docs/findings.md"
    explained = page.read_text(encoding="utf-8").partition("## True errors in PyTorch\n")[2]
    assert len(errors) == 5
    assert all(f"`{name}" in explained for name in errors)
