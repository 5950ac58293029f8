"""Emits the modules of the package that concern all operators: ``__init__.py``, the loader, support for tracing."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.output import OutputFile
from opgen.targets.python.autocast import policy
from opgen.targets.python.autograd import has_autograd
from opgen.targets.python.functions import functions_of
from opgen.targets.python.place import folder
from opgen.targets.python.schemas import device_choice
from opgen.targets.python.vmap import batching_rule
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class PackageView:
    """Facts about the whole library.

    Attributes:
        namespaces: the namespaces of ``torch.ops`` in which the library has operators.
        identifier: the package as an identifier, which the names of binaries and their symbols contain.
        torch: the oldest torch release to load on, major and minor.
        functions: the names that the package exports.
        has_registered: whether some operators are registered by hand.
        has_stable: whether there is a binary for the stable ABI.
        has_classic: whether there is a binary for the classic ABI.
        has_cuda: whether there is a binary with CUDA kernels.
        has_definitions: whether there is a binary that defines the schemas, for processes without Python.
        has_python: whether some kernels are written in Python.
        has_factories: whether some operators have no tensor arguments, but a device argument that chooses the kernel.
        has_autograd: whether some operators have a kernel for the key ``Autograd``.
        has_autocast: whether some operators have a policy for autocast.
        has_vmap: whether some operators have a rule for ``torch.vmap``.
    """

    namespaces: tuple[str, ...]
    identifier: str
    torch: tuple[int, int]
    functions: tuple[str, ...]
    has_registered: bool
    has_stable: bool
    has_classic: bool
    has_cuda: bool
    has_definitions: bool
    has_python: bool
    has_factories: bool
    has_autograd: bool
    has_autocast: bool
    has_vmap: bool


def package_view(library: Library) -> PackageView:
    """Collect the facts about a library."""
    abis = {op.abi for op in library.ops if op.is_compiled}
    return PackageView(
        namespaces=tuple(sorted({op.namespace for op in library.ops})),
        identifier=library.package.replace(".", "_"),
        torch=library.spec.torch,
        functions=tuple(sorted(function.name for function in functions_of(library))),
        has_registered=any(op.registered for op in library.ops),
        has_stable="stable" in abis,
        has_classic="classic" in abis,
        has_cuda=any(kernel.kind == "cuda" for op in library.ops for kernel in op.kernels),
        has_definitions=bool(abis) and library.spec.define_in == "both",
        has_python=any(kernel.is_python for op in library.ops for kernel in op.kernels),
        has_factories=any(device_choice(op) is not None for op in library.ops),
        has_autograd=any(map(has_autograd, library.ops)),
        has_autocast=any(policy(op) is not None for op in library.ops),
        has_vmap=any(batching_rule(op) is not None for op in library.ops),
    )


def package_files(library: Library) -> Iterator[OutputFile]:
    """Emit the modules that are the same for any operators, but for the names that they export."""
    view = package_view(library)
    files = {
        "__init__.py": "init.py",
        "_library.py": "library.py",
        "_checks.py": "checks_module.py",
        "_private.py": "private.py",
        "_tracing.py": "tracing.py",
        "_transforms.py": "transforms.py",
        ".gitignore": "gitignore",
        "py.typed": "py.typed",
    }
    if any(kernel.kind == "triton" for op in library.ops for kernel in op.kernels):
        files["_triton.py"] = "triton.py"
    for name, template in files.items():
        yield OutputFile(f"{folder(library)}/{name}", render(f"python/{template}.j2", view))
    for name in (".gitattributes", "ruff.toml"):
        yield OutputFile(f"generated/{name}", render(f"python/{name.removeprefix('.')}.j2", view))
