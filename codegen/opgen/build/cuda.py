"""What this machine has for building CUDA kernels, and how nvcc is called. Missing, it costs the CUDA half of a library only."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from opgen.build.report import Status
from opgen.records import dataclass

VARIABLES = ("CUDA_HOME", "TORCH_CUDA_ARCH_LIST", "NVCCFLAGS")
"""Variables of the environment that decide about it; PyTorch's own builds of extensions read the first two as well."""

FLAGS = (
    "-std=c++17",
    "-O3",
    "--expt-relaxed-constexpr",  # constexpr functions of torch's headers in device code
    "--expt-extended-lambda",
    "-Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra",
    "-DUSE_CUDA",  # the stable ABI declares its functions about streams only then
)


@dataclass(frozen=True, slots=True)
class Cuda:
    """The compiler, and the words for architectures and of NVCCFLAGS."""

    nvcc: str
    flags: tuple[str, ...]


def find_cuda(torch: Path) -> Cuda | Status:
    """Find nvcc, for a PyTorch in this folder; else say why no CUDA kernel can be built."""
    home = os.environ.get("CUDA_HOME")
    nvcc = shutil.which("nvcc", path=str(Path(home, "bin"))) if home else shutil.which("nvcc")
    if nvcc is None:
        return Status.NO_NVCC
    if not any((torch / "lib" / name).is_file() for name in ("libtorch_cuda.so", "torch_cuda.lib")):
        return Status.NO_CUDA
    stated = os.environ.get("TORCH_CUDA_ARCH_LIST", "")
    architectures = tuple(architecture_flags(stated)) or ("-arch=all-major",)
    return Cuda(nvcc, (*architectures, *os.environ.get("NVCCFLAGS", "").split()))


def architecture_flags(stated: str) -> Iterator[str]:
    """Yield nvcc's flags for a TORCH_CUDA_ARCH_LIST: ``8.0 9.0a+PTX``, split by blanks or semicolons.

    Source: ``_get_cuda_arch_flags`` in ``torch/utils/cpp_extension.py``; names of generations are left out.
    """
    for major, minor, ptx in re.findall(r"(\d+)\.(\d+[af]?)(\+PTX)?", stated):
        code = f"{major}{minor}"
        yield f"-gencode=arch=compute_{code},code=sm_{code}"
        if ptx:
            yield f"-gencode=arch=compute_{code},code=compute_{code}"
