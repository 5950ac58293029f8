"""Kernels that lost their op."""

import pytest

from opgen.emit.file_set import FileSet
from opgen.emit.stray_kernels import stray_kernels
from opgen.targets.output import OutputFile

OLD = "namespace ns::cpu {\nvoid nms(const Tensor& x) {}\n}\n"


def skeleton(path):
    return OutputFile(path, "// yours\n", once=True)


def strays(root, *paths):
    comparison = FileSet(tuple(map(skeleton, paths))).compare(root)
    return list(stray_kernels(root, comparison))


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels/cpu").mkdir(parents=True)
    (tmp_path / "kernels/cpu/nms.cpp").write_text(OLD)
    return tmp_path


def test_a_kernel_whose_op_was_renamed_is_found_at_its_function(root):
    (found,) = strays(root, "kernels/cpu/add.cpp", "kernels/cpu/nms_v2.cpp")
    assert found.message == "'kernels/cpu/nms.cpp' belongs to no op"
    assert "was 'nms' renamed to 'nms_v2'? then `mv kernels/cpu/nms.cpp kernels/cpu/nms_v2.cpp`" in found.help
    assert (found.location.source.path, found.location.start) == ("kernels/cpu/nms.cpp", (2, 6))


def test_without_a_new_skeleton_beside_it_nothing_is_said(root):
    (root / "kernels/cpu/nms_v2.cpp").write_text("// written\n")
    assert strays(root, "kernels/cpu/nms_v2.cpp", "kernels/cuda/add.cpp") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("common.cpp", "void helper() {}\n"),
        ("common.h", "void common() {}\n"),
        ("detail/common.cpp", "void common() {}\n"),
    ],
)
def test_what_holds_no_kernel_of_its_name_is_none(root, name, text):
    (root / "kernels/cpu" / name).parent.mkdir(exist_ok=True)
    (root / "kernels/cpu" / name).write_text(text)
    assert strays(root, "kernels/cpu/nms.cpp", "kernels/cpu/new.cpp") == []


@pytest.mark.parametrize("include", ['#include "nms.cpp"', "# include <kernels/cpu/nms.cpp>"])
def test_what_another_kernel_includes_is_none(root, include):
    (root / "kernels/cpu/add.cpp").write_text(include + "\n")
    assert strays(root, "kernels/cpu/add.cpp", "kernels/cpu/new.cpp") == []
