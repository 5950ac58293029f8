"""Kernels that were there before, kernels in Python, a dotted package with two namespaces: built, tested and called."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

pytestmark = [
    pytest.mark.compile,
    pytest.mark.usefixtures("unoptimised"),
    pytest.mark.torch,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]

CASE = Path(__file__).parents[1] / "cases" / "kernels"


def call(*command, cwd):
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False
    )


def opgen(*arguments, cwd):
    return call(sys.executable, "-m", "opgen", *arguments, cwd=cwd)


def python(code, *, cwd):
    """Run code that sees a project's package and its own modules."""
    result = call(sys.executable, "-c", f"import sys\nsys.path[:0] = ['generated', '.']\nimport torch\n{code}", cwd=cwd)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The library of the case, built."""
    folder = tmp_path_factory.mktemp("kernels") / "library"
    shutil.copytree(CASE, folder)
    result = opgen("build", cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def test_its_own_tests_pass(project):
    result = opgen("test", "-q", "-k", "not compile and not export and not dynamic", cwd=project)

    assert result.returncode == 0, result.stdout + result.stderr


def test_no_skeleton_is_written_where_a_file_or_a_function_is_named(project):
    written = sorted(path.name for path in (project / "kernels").rglob("*.*") if "__pycache__" not in path.parts)

    assert written == sorted(path.name for path in (CASE / "kernels").rglob("*.*"))


def test_what_a_kernel_returns_is_held_to_the_contract_on_every_path(project):
    code = """
from acme.math import ops
for op in (ops.broken, ops.broken_too):
    for how in range(1, 7):
        try:
            op(torch.ones(3, 4), how)
        except RuntimeError as error:
            print(str(error).splitlines()[0])
    print(tuple(op(torch.ones(3, 4), 0).shape))
x = torch.ones(3, 3).T
for op in (ops.laid_out, ops.laid_out_too):
    print(op(x, True).stride())
    try:
        op(x, False)
    except RuntimeError as error:
        print(str(error).splitlines()[0])
"""

    def said(op, *sentences):
        return [f"acme::{op}: output 'out' as the kernel returned it: expected {sentence}" for sentence in sentences]

    faults = (
        "2 dims [n, ?k <= m], got a 1-dim tensor of shape [3]",
        "size 3 at dim 0 of [n, ?k <= m], got 4",
        "float32, got float64",
        "k <= m, got k = 5 > 4",
        "device cpu, got meta",
        "a contiguous tensor, got strides [1, 3] for shape [3, 2]",
    )
    strides = "strides(x), got strides [3, 1] for shape [3, 3]"
    assert python(code, cwd=project) == [
        *(*said("broken", *faults), "(3, 2)", *said("broken_too", *faults), "(3, 2)"),
        *("(1, 3)", *said("laid_out", strides), "(1, 3)", *said("laid_out_too", strides)),
    ]


def test_a_python_kernel_neither_records_a_graph_nor_counts_its_own_writes(project):
    code = """
import warnings
from acme.math import ops
x = torch.ones(3)
assert ops.add_(x, torch.ones(3), [torch.ones(3)]) is x
print(x._version, x.tolist())
for wrong in (torch.ones(3, requires_grad=True), torch.ones(1).expand(3)):
    try:
        ops.add_(wrong, torch.ones(3), [torch.ones(3)])
    except RuntimeError as error:
        print(str(error).partition('. ')[0])
try:
    ops.add_(x, torch.ones(3), [x])
except RuntimeError as error:
    print(str(error).partition(':')[0], 'some elements' in str(error))
y = ops.scale(torch.ones(3, requires_grad=True), 2.0)
print(y.grad_fn.name())
z = ops.twice(torch.ones(3, requires_grad=True))
z.sum().backward()
print(z.grad_fn.name())
"""
    version, leaf, expanded, overlap, fallback, composite = python(code, cwd=project)

    assert version == "1 [3.0, 3.0, 3.0]"
    assert leaf.startswith("a leaf Variable that requires grad")
    assert "more than one element of the written-to tensor" in expanded
    assert overlap == "other True"
    assert fallback.endswith("WarnNotImplemented")
    assert composite == "MulBackward0"


def test_ops_of_both_namespaces_work_and_a_copy_of_the_package_does_no_harm(project, tmp_path):
    shutil.copytree(project / "generated" / "acme", tmp_path / "again" / "acme")
    code = f"""
from acme.math import ops
for name in [name for name in sys.modules if name.split('.')[0] == 'acme']:
    del sys.modules[name]
sys.path.insert(0, {str(tmp_path / "again")!r})
from acme.math import ops as other
assert other is not ops and 'again' in other.__file__
print(torch.ops.acme.doubled(torch.ones(2)).tolist(), torch.ops.other.positive(torch.ones(2))[1].tolist())
print(other.scale(torch.ones(1), 3.0).item(), ops.scale(torch.ones(1), 3.0).item())
"""
    assert python(code, cwd=project) == ["[2.0, 2.0] [0, 1]", "3.0 3.0"]


def test_two_packages_share_a_namespace(project, tmp_path):
    (tmp_path / "ops.yaml").write_text(
        "opgen: 1\nnamespace: acme\npackage: acme_more\ndefaults: {autograd: none}\nops:\n"
        "  - func: halved(Tensor x) -> Tensor\n"
        '    tensors: {x: "float32 [n]", return: "float32 [n]"}\n'
        "    dispatch: {CPU: {kernel: cpp, symbol: halved, file: halved.h}}\n",
        encoding="utf-8",
    )
    (tmp_path / "halved.h").write_text(
        "#include <acme_more/halved.h>\ninline void halved(const acme::Tensor& x, acme::Tensor& out) {\n"
        "  for (int64_t i = 0; i < x.numel(); ++i) {\n"
        "    out.mutable_data_ptr<float>()[i] = x.const_data_ptr<float>()[i * x.stride(0)] / 2;\n  }\n}\n",
        encoding="utf-8",
    )
    result = opgen("build", cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    code = f"""
sys.path.insert(0, {str(tmp_path / "generated")!r})
import acme_more
from acme.math import ops
print(acme_more.halved(ops.doubled(torch.ones(1))).item(), hasattr(torch.ops.acme, 'halved'))
"""
    assert python(code, cwd=project) == ["1.0 True"]


def test_a_missing_copy_says_what_to_do(project, tmp_path):
    shutil.copytree(project / "generated", tmp_path / "generated")
    shutil.copy(project / "acme_types.py", tmp_path)
    (tmp_path / "generated/acme/math/ops/_kernels/cpu/scale.py").unlink()

    result = call(
        sys.executable, "-c", "import sys; sys.path[:0] = ['generated', '.']; import acme.math.ops", cwd=tmp_path
    )

    assert "a kernel is missing, looked for cpu/scale.py: run `opgen build`" in result.stderr


def test_a_shared_file_with_a_function_that_is_not_inline_is_explained(project, tmp_path):
    folder = tmp_path / "library"
    shutil.copytree(project, folder)
    vendor = folder / "csrc" / "vendor.h"
    vendor.write_text(vendor.read_text(encoding="utf-8").replace("inline Tensor doubled", "Tensor doubled"), "utf-8")

    result = opgen("build", cwd=folder)

    assert result.returncode == 1
    assert "multiple definition of `vendor::doubled" in result.stdout
    assert "each kernel's unit includes 'csrc/vendor.h': make the functions there `inline`" in result.stdout
