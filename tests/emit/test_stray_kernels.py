"""Kernels that lost their op."""

import pytest

from opgen.emit.file_set import FileSet
from opgen.emit.stray_kernels import stray_kernels
from opgen.emit.write import write
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


UNIT = OutputFile("generated/csrc/units/cpu/nms.cpp", '#include "kernels/cpu/nms.cpp"\n')
TEST = OutputFile("generated/tests/test_nms.py", "")


def removed(root, before, *after):
    files = FileSet(before)
    write(root, files.compare(root).pending)
    return list(stray_kernels(root, FileSet(after).compare(root)))


@pytest.mark.parametrize("name", ["cpu/nms.cpp", "cuda/nms.cu", "cpu/nms.py"])
def test_the_kernel_of_an_op_that_went_is_said_with_what_is_to_be_done(root, name):
    (root / "kernels/cpu/nms.cpp").unlink()
    (root / "kernels" / name).parent.mkdir(exist_ok=True)
    (root / "kernels" / name).write_text(OLD)
    (found,) = removed(root, (UNIT, TEST))
    assert found.message == f"'kernels/{name}' belongs to no op any more"
    assert "delete the file" in found.help


def test_it_is_said_by_the_run_that_removes_what_was_generated_and_by_no_other(root):
    assert removed(root, (UNIT,))
    write(root, FileSet(()).compare(root).pending)
    assert list(stray_kernels(root, FileSet(()).compare(root))) == []


@pytest.mark.parametrize(
    "after",
    [
        (OutputFile("generated/csrc/units/classic/cpu/nms.cpp", ""), skeleton("kernels/cpu/nms.cpp")),
        (OutputFile("generated/csrc/units/cpu/other.cpp", '#include "kernels/cpu/nms.cpp"\n'),),
    ],
)
def test_a_kernel_that_another_unit_has_is_none(root, after):
    assert removed(root, (UNIT,), *after) == []
