"""The codes of this room: what a binary can't keep of what is said about it."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity


def _code(id_: str, name: str, summary: str, why: str, remedy: str) -> Code:
    """Return an error without examples: what it is about is a binary."""
    return Code(id_, name, Severity.ERROR, summary, why, remedy)


UNREADABLE = _code(
    "OPG861",
    "not-auditable",
    "A file is neither a shared library in the ELF format nor a wheel.",
    "`opgen audit` reads the symbol tables of Linux shared libraries, and of those in wheels.",
    "name a .so or a .whl",
)
TORCH_TOO_OLD = _code(
    "OPG862",
    "torch-claim-too-wide",
    "The metadata admits a PyTorch that lacks what the binary needs.",
    (
        "Installers trust `Requires-Dist`; on a release without the function the library can't be opened: 'undefined "
        "symbol'. The release that introduced each function is read from PyTorch's headers, where "
        "`TORCH_FEATURE_VERSION` guards it (torch/csrc/stable/version.h)."
    ),
    "state the range that is named here, or compile for an older release: `torch:` in ops.yaml",
)
TORCH_NOT_ASKED = _code(
    "OPG863",
    "torch-not-required",
    "The metadata does not require PyTorch, but the binary needs it.",
    "Without a requirement, an installer keeps whatever release is installed, or none.",
    "add the requirement that is named here to the project's dependencies",
)
CLASSIC_RANGE = _code(
    "OPG864",
    "classic-abi-not-pinned",
    "A binary with C++ symbols of PyTorch claims to fit more than one release.",
    "PyTorch keeps its C++ symbols and the layout of its classes for one minor release only; use the stable ABI to "
    "support more.",
    "pin one release in the project's dependencies, or use the stable ABI: `abi: stable` in ops.yaml",
)
PYTHON_TAG = _code(
    "OPG865",
    "python-tag-too-wide",
    "The wheel claims to fit every Python version, but a binary in it needs a particular one.",
    "Python's own symbols and structures differ between its releases; the tag `py3-none` promises that none is used.",
    "build for each Python, with a tag such as cp311-cp311, or do without Python's API in the binary",
)
PYTHON_TAG_NARROW = Code(
    "OPG866",
    "python-tag-too-narrow",
    Severity.INFO,
    "The wheel is tagged for some Python versions, but no binary in it needs any of them.",
    "Without Python symbols, one wheel serves every Python release.",
    "tag it py3-none: the build steps of opgen do so",
)
PLATFORM_TAG = _code(
    "OPG867",
    "wrong-platform-tag",
    "The platform tag of the wheel does not fit a binary in it.",
    "An installer accepts the wheel for machines, or for a glibc, on which the binary can't be opened (PEP 425, PEP "
    "600).",
    "build on the oldest system that is to be served, and let auditwheel choose the tag",
)
ABSOLUTE_RPATH = Code(
    "OPG868",
    "absolute-rpath",
    Severity.WARNING,
    "A binary looks for libraries in a folder of the machine that built it.",
    "On another machine that folder is missing, or contains something else.",
    "link without -rpath, or with one below $ORIGIN",
)
SCHEMA_MISMATCH = _code(
    "OPG869",
    "binary-of-other-schemas",
    "Package and binary, or two binaries, were made from different schemas.",
    "The package rejects such a binary when it is imported, since its kernels would read other arguments than are "
    "passed.",
    "build anew: `opgen build`",
)
MISSING_KERNEL = Code(
    "OPG870",
    "kernel-not-in-binary",
    Severity.WARNING,
    "None of the binaries contains a kernel that the package declares.",
    "Calling it raises. This happens if CUDA kernels are built on a machine without nvcc.",
    "build on a machine that can compile it, or take the dispatch key out of ops.yaml",
)
UNKNOWN_FUNCTION = _code(
    "OPG871",
    "unknown-torch-function",
    "A binary needs a C function of PyTorch that no known release has.",
    "Either the binary was built with a newer PyTorch than this version of opgen knows, or the function was removed.",
    "build with a release of PyTorch that `opgen audit` knows, or install a newer opgen",
)
