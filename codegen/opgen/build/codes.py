"""Codes of missing tools, and of errors of compilers, linkers and the smoke test."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity


def _code(id_: str, name: str, summary: str, why: str, remedy: str) -> Code:
    """Return an error code without examples, as it isn't about a text that an example could show."""
    return Code(id_, name, Severity.ERROR, summary, why, remedy)


NO_COMPILER = _code(
    "OPG820",
    "no-cpp-compiler",
    "No C++ compiler was found.",
    "Kernels and registrations are C++17. opgen uses the command in CXX, otherwise g++, clang++ or c++ from PATH.",
    "install g++ or clang++ (Debian and Ubuntu: `apt install g++`), or name one in the environment variable CXX",
)
NO_NINJA = _code(
    "OPG821",
    "no-ninja",
    "Ninja was not found.",
    "Ninja decides which files have to be recompiled. opgen looks for it in PATH and beside the Python interpreter.",
    "install it: `pip install ninja`, or the package `ninja-build` of the system",
)
NO_TORCH = _code(
    "OPG822",
    "no-torch",
    "PyTorch was not found.",
    "The generated C++ includes PyTorch's headers, and the smoke test imports it. `lint` and `generate` don't need it.",
    "install it for that interpreter: `pip install torch`, or name another interpreter with `--python`",
)
OLD_TORCH = _code(
    "OPG823",
    "torch-too-old",
    "The installed PyTorch is older than the oldest release that the library supports.",
    "`torch:` states the oldest release that a library must load on; the headers must be at least as new.",
    "install a newer PyTorch, or lower `torch:` in ops.yaml",
)
NO_PYTHON = _code(
    "OPG824",
    "no-python",
    "The given Python interpreter can't be run.",
    "It imports the library in the smoke test and in the generated tests.",
    "name a Python interpreter, or leave `--python` out",
)
BAD_FLAGS = _code(
    "OPG825",
    "unreadable-flags",
    "CXXFLAGS, LDFLAGS, NVCCFLAGS or TORCH_CUDA_ARCH_LIST can't be parsed.",
    "Flags are passed to compiler and linker as separate words, split as a shell would; architectures must be ones "
    "that nvcc can compile for.",
    "close the quotation, or name architectures by numbers as 9.0a or 8.6+PTX, or by generations as Hopper",
)
NO_PYTEST = _code(
    "OPG826",
    "no-pytest",
    "pytest was not found.",
    "The generated tests run with pytest, in the interpreter that imports the library.",
    "install it for that interpreter: `pip install pytest`, or name another interpreter with `--python`",
)
NO_LAUNCHER = _code(
    "OPG850",
    "no-compiler-launcher",
    "The compiler launcher can't be run.",
    (
        "A launcher is put in front of the compiler: ccache and sccache cache its output, distcc and icecc run it on "
        "other machines. It is set with `--launcher`, OPGEN_COMPILER_LAUNCHER or CMAKE_CXX_COMPILER_LAUNCHER."
    ),
    "install it, or name none",
)
NO_NVCC = _code(
    "OPG827",
    "no-nvcc",
    "There is no nvcc, but `--require cuda` was given.",
    (
        "Without nvcc, the CUDA kernels of a library are left out and the rest is built. A release must not lose "
        "kernels that way, so it states what it requires. opgen looks for nvcc in the folder that CUDA_HOME or "
        "CUDA_PATH names, otherwise in PATH and /usr/local/cuda."
    ),
    "install the CUDA toolkit, or name its folder in CUDA_HOME",
)
NO_TRITON = _code(
    "OPG828",
    "no-triton",
    "Triton was not found, but `--require triton` was given.",
    "Without it, the Triton kernels of a library are left out, and its other kernels work. Triton comes with "
    "PyTorch's CUDA builds.",
    "install it for that interpreter: `pip install triton`",
)
COMPILE_ERROR = _code(
    "OPG830",
    "kernel-does-not-compile",
    "The C++ compiler rejected a kernel, or the code generated around it.",
    (
        "If a kernel's parameters differ from the schema, an assertion fails that names the op, the argument and "
        "both types."
    ),
    "fix the kernel",
)
COMPILE_WARNING = Code(
    id="OPG831",
    name="compiler-warning",
    severity=Severity.WARNING,
    summary="The C++ compiler warned about a kernel.",
    why="Kernels are compiled with -Wall -Wextra; warnings in PyTorch's own headers are excluded.",
    remedy="fix the kernel",
)
LINK_ERROR = _code(
    "OPG832",
    "library-does-not-link",
    "The linker failed to link the library.",
    "A function that is declared and used but never defined would otherwise be an undefined symbol at import.",
    "define the function in the kernel file",
)
SMOKE_TEST = _code(
    "OPG840",
    "smoke-test-failed",
    "An op was compiled, but the first call of it failed.",
    "After each build, every op is called once on a small sample that its contract allows.",
    "fix the kernel, or the contract in ops.yaml; `opgen test` says more",
)
CUSTOM_TEMPLATE = _code(
    "OPG881",
    "custom-template-fails",
    "A custom template can't be rendered.",
    (
        "Templates in `opgen-templates/` replace opgen's. They state which version of the views they were written "
        "for, and a name that a view does not have is an error."
    ),
    "fix the template; docs/templates.md lists the views",
)
UNUSED_TEMPLATE = Code(
    id="OPG882",
    name="unused-custom-template",
    severity=Severity.WARNING,
    summary="A custom template replaces none of opgen's, and none includes it.",
    why="A template is used if its path in `opgen-templates/` is that of one of opgen's; any other name has no effect.",
    remedy="rename it to what it is to be used instead of, as docs/templates.md lists them, or delete it",
)
