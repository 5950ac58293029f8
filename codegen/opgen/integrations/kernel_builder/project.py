"""The files of a project of kernel-builder: ``build.toml``, the package below ``torch-ext/``, C++ below ``csrc/``.

https://huggingface.co/docs/kernels/builder/writing-kernels, "Kernel project layout". ``kernel-builder create-pyproject`` adds
``_ops.py``, ``registration.h`` and the CMake files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from opgen.build import cuda
from opgen.build.custom_templates import template_mistake
from opgen.build.generate import generate
from opgen.build.layout import Layout, Unit, lay_out_build
from opgen.build.plan import COMPILER_FLAGS
from opgen.diagnostics import Diagnostic, has_errors
from opgen.emit.file_set import FileSet
from opgen.integrations.kernel_builder.names import with_own_namespace
from opgen.integrations.kernel_builder.refusals import BACKENDS, kernel_name, module_name, refusals
from opgen.integrations.kernel_builder.sources import FOLDER, sources
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.output import OutputFile
from opgen.targets.python import python_files
from opgen.targets.python.package import package_view
from opgen.targets.python.place import folder
from opgen.targets.registry import BUILT
from opgen.targets.templates import custom_templates, render

_PACKAGES = "torch-ext"
_OWN_FLAGS = tuple(flag for flag in COMPILER_FLAGS if flag.startswith(("-fno-", "-fvisibility")))
_CUDA_FLAGS = (*(flag for flag in cuda.FLAGS if flag.startswith("--expt")), "-Xcompiler=-fvisibility=hidden")


@dataclass(frozen=True, slots=True)
class About:
    """What ``build.toml`` says of a kernel and ``ops.yaml`` does not.

    Attributes:
        license: its identifier at the Hub, ``apache-2.0``.
        version: of the kernel; a new one where callers would break.
        repository: of the Hub, ``acme/ops``; empty where it is not said.
    """

    license: str
    version: int
    repository: str


@dataclass(frozen=True, slots=True)
class ProjectView:
    """What ``build.toml`` says; texts and lists that are no names as TOML has them.

    Attributes:
        name: of the kernel, and ``module`` of its package.
        about: what the user says.
        backends: names of kernel-builder's backends.
        is_compiled: whether there is C++.
        shared: sources for all backends, and headers.
        kernels: backend, sources for it alone.
        flags: of the C++ compiler, and ``cuda_flags`` of nvcc.
        stable_abi: the oldest torch; empty where a kernel is for the classic ABI.
    """

    name: str
    module: str
    about: About
    backends: tuple[str, ...]
    is_compiled: bool
    shared: str
    kernels: tuple[tuple[str, str], ...]
    flags: str
    cuda_flags: str
    stable_abi: str


def kernel_project(path: Path, about: About) -> tuple[FileSet | None, tuple[Diagnostic, ...]]:
    """Return the files for the declaration at ``path``, and what was found in it; no files where that is an error."""
    made = generate(path, tuple(_python_files if target is python_files else target for target in BUILT))
    if made.library is None or made.files is None:
        return None, made.diagnostics
    found = (*made.diagnostics, *refusals(made.library, path.parent))
    if has_errors(found):
        return None, found
    layout = lay_out_build(made.library, made.files, path.parent)
    generated = {file.path: file.content for file in made.files.files if not file.once}
    units = [unit for unit in layout.units if unit.op is not None]
    compiled = sources([unit.path for unit in units], generated, path.parent) if units else {}
    view = _view(made.library, about, units, compiled)
    with custom_templates(path.parent) as custom:
        try:
            description = tuple(_description(view))
        except Exception as error:
            problem = template_mistake(error, custom)
            if problem is None:
                raise
            return None, (*found, problem)
        files = (
            *description,
            *(OutputFile(place, _registered_as_built(made.library, text)) for place, text in compiled.items()),
            *_package(made.library, generated, layout, path.parent),
        )
    return FileSet(files, made.files.source, (FOLDER, _PACKAGES), "opgen export"), found


def _python_files(library: Library) -> Iterator[OutputFile]:
    """Emit the package with another loader: ``_ops`` has opened the binary."""
    for file in python_files(library):
        is_loader = file.path == f"{folder(library)}/_library.py"
        text = render("kernel_builder/library.py.j2", package_view(library)) if is_loader else file.content
        yield OutputFile(file.path, text, file.once)


def _description(view: ProjectView) -> Iterator[OutputFile]:
    names = {"build.toml": "build.toml", "flake.nix": "flake.nix"}
    if view.is_compiled:
        names[f"{_PACKAGES}/torch_binding.cpp"] = "torch_binding.cpp"
    for name, template in names.items():
        yield OutputFile(name, render(f"kernel_builder/{template}.j2", view))


def _view(library: Library, about: About, units: Sequence[Unit], compiled: Mapping[str, str]) -> ProjectView:
    places: dict[str, list[str]] = {}
    for unit in units:
        key = unit.kernel.dispatch_key if unit.kernel else ""
        places.setdefault(BACKENDS.get(key, ""), []).append(f"{FOLDER}/{unit.path.partition('csrc/')[2]}")
    keys = {
        BACKENDS[kernel.dispatch_key] for op in library.ops for kernel in op.kernels if kernel.dispatch_key in BACKENDS
    }
    headers = sorted(place for place in compiled if place.endswith(".h"))
    return ProjectView(
        name=kernel_name(library),
        module=module_name(library),
        about=about,
        backends=tuple(sorted(keys)) or tuple(sorted(BACKENDS.values())),
        is_compiled=bool(units),
        shared=_toml([f"{_PACKAGES}/torch_binding.cpp", *sorted(places.pop("", [])), *headers]),
        kernels=tuple((backend, _toml(sorted(each))) for backend, each in sorted(places.items())),
        flags=_toml(_OWN_FLAGS),
        cuda_flags=_toml(_CUDA_FLAGS),
        stable_abi=".".join(map(str, library.spec.torch)) if library.abis == ("stable",) else "",
    )


def _toml(texts: Sequence[str]) -> str:
    """Write a list, a line each; TOML's basic strings are JSON's."""
    return "[\n" + "".join(f"  {json.dumps(text)},\n" for text in texts) + "]"


def _registered_as_built(library: Library, text: str) -> str:
    """Have a unit register its kernels in the namespace of the build; the macro expands its argument."""
    return text.replace(f"TORCH_LIBRARY_IMPL({library.namespace}, ", "TORCH_LIBRARY_IMPL(TORCH_EXTENSION_NAME, ")


def _package(library: Library, generated: Mapping[str, str], layout: Layout, root: Path) -> Iterator[OutputFile]:
    """Place the package, kernels in Python among it."""
    copies = {copy: (root / source).read_text(encoding="utf-8") for source, copy in layout.copies}
    place = folder(library)
    for path, text in {**generated, **copies}.items():
        if path.startswith(f"{place}/") and path.endswith((".py", ".pyi")):
            name = path.removeprefix(f"{place}/")
            changed = with_own_namespace(text, library.namespace, name.count("/"))
            yield OutputFile(f"{_PACKAGES}/{module_name(library)}/{name}", changed)
