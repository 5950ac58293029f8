"""What a compiler says to the author of a kernel."""

import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.compile


def unit_errors(project, unit):
    done = project.run_compiler("-fsyntax-only", f"generated/csrc/units/{unit}.cpp")
    assert done.returncode != 0
    return done.stderr


def test_a_changed_argument_names_op_argument_and_both_types(start):
    project = start("contracts")
    project.edit("ops.yaml", "scale_(Tensor(a!) x, float factor=2.0)", "scale_(Tensor(a!) x, int factor=2)")
    project.write()
    errors = unit_errors(project, "cpu/scale_")
    text = "cpp_contracts::scale_: argument 'factor' is int in the schema, so the kernel must take int64_t"
    assert text in errors
    assert "is_same_v<double, long int>" in errors


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ("const Tensor& x, float factor", "argument 'x' is Tensor(a!) in the schema, so the kernel must take Tensor&"),
        ("Tensor& x, float factor", "argument 'factor' is float in the schema, so the kernel must take double"),
        ("Tensor& x, double factor, int more", "the kernel must be void(Tensor& x, double factor)"),
    ],
)
def test_a_kernel_with_another_signature_is_an_error(start, new, text):
    project = start("contracts")
    project.edit("kernels/cpu/scale_.cpp", "Tensor& x, double factor", new)
    assert f"cpp_contracts::scale_: {text}" in unit_errors(project, "cpu/scale_")


def test_skeletons_compile_and_say_that_they_wait(start, types):
    for case in ("contracts", "types"):
        project = start(case, kernels=False)
        for unit in project.units():
            done = project.run_compiler("-fsyntax-only", unit)
            assert done.returncode == 0, done.stderr
    # This one has no kernel in the case.
    x = torch.ones(2)
    with pytest.raises(RuntimeError, match=r"^\w+::namespace: kernel not written yet: kernels/cpu/namespace.cpp$"):
        types.ops.namespace(x, x, 1)


def test_every_kernel_of_the_first_library_builds_on_the_classic_abi_too(emit_in, tmp_path):
    root = Path(__file__).parents[3]
    for part in ("ops", "kernels"):
        shutil.copytree(root / part, tmp_path / part)
    declaration = (root / "ops.yaml").read_text(encoding="utf-8")
    (tmp_path / "ops.yaml").write_text(declaration.replace("abi: stable", "abi: classic"), encoding="utf-8")
    project = emit_in(tmp_path)
    kernels = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("kernels/*/*.cpp"))
    (tmp_path / "all.cpp").write_text("".join(f'#include "{path}"\n' for path in kernels), encoding="utf-8")
    done = project.run_compiler("-fsyntax-only", "-fvisibility=hidden", "all.cpp")
    assert done.returncode == 0, done.stderr
    assert {op.abi for op in project.library.ops} == {"classic"}
