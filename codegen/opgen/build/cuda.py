"""What this machine has for building CUDA kernels, and how nvcc is called. Missing, it costs the CUDA half of a library only.

No PyTorch with CUDA is needed: the stable ABI's functions about streams and guards are declared in the headers of every
build, and a stub stands in for the library that defines them, as CUDA's own ``stubs/libcuda.so`` does for the driver.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from opgen.build.report import Status
from opgen.records import dataclass

ARCHITECTURES = "TORCH_CUDA_ARCH_LIST"
VARIABLES = ("CUDA_HOME", ARCHITECTURES, "NVCCFLAGS")
"""Variables of the environment that decide about it; PyTorch's own builds of extensions read the first two as well."""

DEFAULT_ARCHITECTURES = ("8.0", "9.0", "10.0")
"""A100, H100 and B200, as far as nvcc knows them; the last one as PTX as well, which a driver translates for later ones."""

FLAGS = (
    "-std=c++17",
    "-O3",
    "--expt-relaxed-constexpr",  # constexpr functions of torch's headers in device code
    "--expt-extended-lambda",
    "-Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra",
    "-DUSE_CUDA",  # the stable ABI declares its functions about streams only then
)

_TORCH_LIBRARIES = ("libtorch_cuda.so", "torch_cuda.lib")
_SHIMS = ("inductor/aoti_torch/c/shim.h", "stable/c/shim.h")
_SYMBOL = re.compile(r"\b((?:aoti_torch|torch)_\w*cuda_\w*)\(")


@dataclass(frozen=True, slots=True)
class Cuda:
    """The compiler, and how it is called.

    Attributes:
        nvcc: its path.
        flags: for architectures, and the words of NVCCFLAGS.
        stub: the functions that a stub of ``libtorch_cuda`` has to define; empty where PyTorch has that library.
    """

    nvcc: str
    flags: tuple[str, ...]
    stub: tuple[str, ...] = ()


def find_cuda(torch: Path) -> Cuda | Status:
    """Find nvcc, for a PyTorch in this folder; else say why no CUDA kernel can be built."""
    home = os.environ.get("CUDA_HOME")
    nvcc = shutil.which("nvcc", path=str(Path(home, "bin"))) if home else shutil.which("nvcc")
    if nvcc is None:
        return Status.NO_NVCC
    architectures = tuple(architecture_flags(os.environ.get(ARCHITECTURES, ""))) or tuple(
        architecture_flags(_default_architectures(nvcc))
    )
    has_cuda = any((torch / "lib" / name).is_file() for name in _TORCH_LIBRARIES)
    stub = () if has_cuda else tuple(_stub_symbols(torch))
    return Cuda(nvcc, (*architectures, *os.environ.get("NVCCFLAGS", "").split()), stub)


def architecture_flags(stated: str) -> Iterator[str]:
    """Yield nvcc's flags for a TORCH_CUDA_ARCH_LIST: ``8.0 9.0a+PTX``, split by blanks or semicolons.

    Source: ``_get_cuda_arch_flags`` in ``torch/utils/cpp_extension.py``; names of generations are left out.
    """
    for major, minor, ptx in re.findall(r"(\d+)\.(\d+[af]?)(\+PTX)?", stated):
        code = f"{major}{minor}"
        yield f"-gencode=arch=compute_{code},code=sm_{code}"
        if ptx:
            yield f"-gencode=arch=compute_{code},code=compute_{code}"


def _default_architectures(nvcc: str) -> str:
    """Return a list as of TORCH_CUDA_ARCH_LIST; all of the default where nvcc doesn't say what it knows."""
    try:
        run = subprocess.run([nvcc, "--list-gpu-code"], capture_output=True, text=True, check=False)  # noqa: S603 - found above
        known = run.stdout.split()
    except OSError:
        known = []
    chosen = [each for each in DEFAULT_ARCHITECTURES if f"sm_{each.replace('.', '')}" in known]
    return " ".join(chosen or DEFAULT_ARCHITECTURES) + "+PTX"


def _stub_symbols(torch: Path) -> Iterator[str]:
    """Yield the C functions of torch's stable ABI that a PyTorch with CUDA has beside those of any other."""
    for shim in _SHIMS:
        header = torch / "include/torch/csrc" / shim
        if header.is_file():  # an older PyTorch has fewer
            yield from _SYMBOL.findall(header.read_text(encoding="utf-8"))
