"""The unit of definitions: which ops it defines, in which namespaces, and that it is asked for."""

import re

import pytest

from opgen.diagnostics import has_errors
from opgen.model.build import build_library
from opgen.spec.load import load_library
from opgen.targets.cpp import cpp_files
from opgen.targets.cpp.define import DEFINE_PATH
from opgen.targets.python import python_files

OPS = """\
ops:
  - func: mylib::scale_(Tensor(a!) x, float by=0.1) -> Tensor(a!)
  - func: mylib::scale.out(Tensor x, *, str mode="a\\"b", Tensor(a!) out) -> Tensor(a!)
    overwrites: [out]
    abi: classic
  - func: other::note(Tensor(a!) x) -> ()
    dispatch: {CUDA: cuda}
  - func: mylib::order(Tensor x) -> Tensor
    dispatch: {CPU: python}
  - func: other::old_(Tensor(a!) x) -> Tensor(a!)
    registered: csrc/old.cpp
"""


def emitted(folder, define_in, ops=OPS):
    path = folder / "ops.yaml"
    path.write_text(f"opgen: 1\nnamespace: mylib\ndefine_in: {define_in}\n{ops}", encoding="utf-8")
    loaded = load_library(path)
    built = build_library(loaded.library)
    assert not has_errors([*loaded.diagnostics, *built.diagnostics]), built.diagnostics
    return {file.path: file.content for target in (cpp_files, python_files) for file in target(built.library)}


def test_ops_with_compiled_kernels_and_their_twins_are_defined_once_whatever_their_abi(tmp_path):
    unit = emitted(tmp_path, "both")[DEFINE_PATH]

    assert re.findall(r"FRAGMENT\((\w+)", unit) == ["mylib", "other"]
    assert re.findall(r'  define\(m, "(.*)"\);', unit) == [
        'scale.out(Tensor x, *, str mode=\\"a\\\\\\"b\\", Tensor(a!) out) -> Tensor(a!)',
        '_scale_out_write(Tensor x, *, str mode=\\"a\\\\\\"b\\", Tensor(a!) out) -> ()',
        "scale_(Tensor(a!) x, float by=0.1) -> Tensor(a!)",
        "_scale__write(Tensor(a!) x, float by=0.1) -> ()",
        "note(Tensor(a!) x) -> ()",
    ]


@pytest.mark.parametrize(
    ("define_in", "ops"),
    [("python", OPS), ("both", "ops:\n  - {func: f(Tensor x) -> Tensor, dispatch: {CPU: python}}\n")],
)
def test_there_is_no_unit_where_none_is_asked_for_and_where_nothing_is_compiled(define_in, ops, tmp_path):
    files = emitted(tmp_path, define_in, ops)

    assert DEFINE_PATH not in files
    assert "_define" not in files["generated/mylib_ops/.gitignore"]


def test_the_package_is_the_same_with_and_without_but_for_what_git_ignores(tmp_path):
    with_, without = emitted(tmp_path, "both"), emitted(tmp_path, "python")

    assert {path for path in with_ if with_[path] != without.get(path)} == {
        *(DEFINE_PATH, "generated/mylib_ops/.gitignore")
    }
