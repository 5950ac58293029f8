"""Finds nvcc and decides its options. Without nvcc, only the CUDA kernels of a library are left out of a build.

PyTorch need not be built with CUDA: the headers of every build declare the stable ABI's functions for streams and
guards, and the linker gets a stub of the library that defines them, as CUDA's own ``stubs/libcuda.so`` is one of the
driver.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from opgen.build import codes
from opgen.build.report import Status
from opgen.diagnostics import Diagnostic
from opgen.records import dataclass

ARCHITECTURES = "TORCH_CUDA_ARCH_LIST"
_HOMES = ("CUDA_HOME", "CUDA_PATH")
_OWN_OPTIONS = ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS")
_OWN_COMPILER = "NVCC_CCBIN"
VARIABLES = (*_HOMES, ARCHITECTURES, "NVCCFLAGS", *_OWN_OPTIONS, _OWN_COMPILER)
"""The environment variables that matter; ``torch.utils.cpp_extension`` reads the first three too, nvcc the last three itself."""

TOOLKIT = Path("/usr/local/cuda")
"""The link to the toolkit that NVIDIA's installers create; they don't add its programs to PATH."""

DEFAULT_ARCHITECTURES = ("8.0", "9.0", "10.0")
"""A100, H100 and B200, if nvcc supports them; for the last one PTX too, which drivers compile for later GPUs."""

_GENERATIONS = {
    "Maxwell+Tegra": "5.3",
    "Maxwell": "5.0;5.2+PTX",
    "Pascal": "6.0;6.1+PTX",
    "Volta+Tegra": "7.2",
    "Volta": "7.0+PTX",
    "Turing": "7.5+PTX",
    "Ampere+Tegra": "8.7",
    "Ampere": "8.0;8.6+PTX",
    "Ada": "8.9+PTX",
    "Hopper": "9.0+PTX",
    "Blackwell+Tegra": "11.0",
    "Blackwell": "10.0;10.3;12.0;12.1+PTX",
}
"""Names of architectures, without those that no current nvcc supports.

Source: ``named_arches`` in ``_get_cuda_arch_flags``, ``torch/utils/cpp_extension.py``.
"""

FLAGS = (
    "-std=c++17",
    "-O3",
    "--expt-relaxed-constexpr",  # torch's headers have constexpr functions that device code calls
    "--expt-extended-lambda",
    "-Xcompiler=-fPIC,-fvisibility=hidden,-Wall,-Wextra",
    "-DUSE_CUDA",  # without it the stable ABI doesn't declare its functions for streams
)

_LAUNCHERS = {"ccache", "sccache", "distcc", "icecc"}
_ARCHITECTURE = re.compile(r"\d+\.\d+[af]?(\+PTX)?|native")
_TORCH_LIBRARIES = ("libtorch_cuda.so", "torch_cuda.lib")
_SHIMS = ("inductor/aoti_torch/c/shim.h", "stable/c/shim.h")
_SYMBOL = re.compile(r"\b((?:aoti_torch|torch)_(?=\w*cuda_)\w*)\(")


@dataclass(frozen=True, slots=True)
class Cuda:
    """The CUDA compiler and its options.

    Attributes:
        nvcc: the path of nvcc.
        flags: the options for architectures.
        host: the options that select the host compiler, for compiling and linking.
        stub: the functions that a stub of ``libtorch_cuda`` has to define; empty if PyTorch has that library.
    """

    nvcc: str
    flags: tuple[str, ...]
    host: tuple[str, ...] = ()
    stub: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        """The words of the command, without the options of a build."""
        return (self.nvcc, *self.host)


def find_cuda(torch: Path, stated_compiler: Sequence[str] = ()) -> Cuda | Status | Diagnostic:
    """Find nvcc; return a status if CUDA kernels can't be built, or a diagnostic for a wrong list of architectures.

    Args:
        torch: the folder of PyTorch's package.
        stated_compiler: the words of CXX, the first one as a path; empty if CXX isn't set.
    """
    nvcc = _find_nvcc()
    if nvcc is None:
        return Status.NO_NVCC
    stated = os.environ.get(ARCHITECTURES, "")
    if unknown := [each for each in _architectures(stated) if not _ARCHITECTURE.fullmatch(each)]:
        message = f"{ARCHITECTURES} names '{unknown[0]}', which is no architecture"
        return Diagnostic(codes.BAD_FLAGS, message, None, help=codes.BAD_FLAGS.remedy)
    has_cuda = any((torch / "lib" / name).is_file() for name in _TORCH_LIBRARIES)
    stub = () if has_cuda else tuple(_stub_symbols(torch))
    flags = architecture_flags(stated) or architecture_flags(_default_architectures(nvcc))
    return Cuda(nvcc, flags, host_compiler(stated_compiler), stub)


def _find_nvcc() -> str | None:
    """Return the path of nvcc, searched as by ``_find_cuda_home`` in ``torch/utils/cpp_extension.py``."""
    if home := next(filter(None, map(os.environ.get, _HOMES)), None):
        return shutil.which("nvcc", path=str(Path(home, "bin")))
    return shutil.which("nvcc") or shutil.which("nvcc", path=str(TOOLKIT / "bin"))


def host_compiler(stated: Sequence[str]) -> tuple[str, ...]:
    """Return the options that make nvcc use the compiler that CXX names, without its launcher.

    There are none if the compiler is nvcc's default g++, or if an environment variable of nvcc selects one: the option
    may only be given once.
    """
    told = " ".join(os.environ.get(name, "") for name in ("NVCCFLAGS", *_OWN_OPTIONS))
    if os.environ.get(_OWN_COMPILER) or "-ccbin" in told or "--compiler-bindir" in told:
        return ()
    compiler = next((word for word in stated if Path(word).stem not in _LAUNCHERS), None)
    return ("-ccbin", compiler) if compiler else ()


def for_host(flag: str) -> str:
    """Return the nvcc option that passes ``flag`` to the host compiler, with commas escaped, at which nvcc splits."""
    return "-Xcompiler=" + flag.replace(",", r"\,")


def architecture_flags(stated: str) -> tuple[str, ...]:
    """Return nvcc's flags for a TORCH_CUDA_ARCH_LIST, as ``_get_cuda_arch_flags`` of ``torch/utils/cpp_extension.py``.

    Args:
        stated: split by blanks, commas or semicolons: ``8.0 9.0a+PTX``, ``Ampere;Hopper``; or ``native``.
    """
    return tuple(dict.fromkeys(flag for each in _architectures(stated) for flag in _flags(each)))


def _architectures(stated: str) -> list[str]:
    """Split a list of architectures, and replace names by numbers."""
    for name, numbers in _GENERATIONS.items():
        stated = stated.replace(name, numbers)
    return [word for word in re.split(r"[\s;,]+", stated) if word]


def _flags(architecture: str) -> Iterator[str]:
    if architecture == "native":
        yield "-arch=native"
        return
    code = architecture.removesuffix("+PTX").replace(".", "")
    yield f"-gencode=arch=compute_{code},code=sm_{code}"
    if architecture.endswith("+PTX"):
        yield f"-gencode=arch=compute_{code},code=compute_{code}"


def _default_architectures(nvcc: str) -> str:
    """Return the defaults that nvcc supports, in the form of TORCH_CUDA_ARCH_LIST; all of them if nvcc doesn't tell."""
    try:
        run = subprocess.run([nvcc, "--list-gpu-code"], capture_output=True, text=True, check=False)  # noqa: S603 - found above
        known = run.stdout.split()
    except OSError:
        known = []
    chosen = [each for each in DEFAULT_ARCHITECTURES if f"sm_{each.replace('.', '')}" in known]
    return " ".join(chosen or DEFAULT_ARCHITECTURES) + "+PTX"


def _stub_symbols(torch: Path) -> Iterator[str]:
    """Yield the C functions of the stable ABI that only a PyTorch with CUDA defines."""
    for shim in _SHIMS:
        header = torch / "include/torch/csrc" / shim
        if header.is_file():  # older releases have fewer headers
            yield from _SYMBOL.findall(header.read_text(encoding="utf-8"))
