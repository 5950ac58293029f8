"""The file that an author starts from: the kernel with its signature, sizes and dtypes, without its maths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.model.tensors import BroadcastExtent, CheckDtype, DtypeLike, DtypeSet, OutputSpec
from opgen.records import dataclass
from opgen.targets.checks.lines import fill
from opgen.targets.cpp.dtypes import dtype_lists
from opgen.targets.cpp.header import header_path
from opgen.targets.cpp.library import CUDA_HEADER, LibraryView
from opgen.targets.cpp.signature import Signature, kernel_signature, kernel_symbol
from opgen.targets.cpp.sizes import sizes
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name
from opgen.targets.output import OutputFile
from opgen.targets.quoting import c_string
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One level of dtype dispatch.

    Attributes:
        tensor: the argument's identifier.
        types: the list of element types in the op's header.
        name: the alias of the chosen type in the kernel.
        tag: the parameter of the lambda that carries the chosen type.
    """

    tensor: str
    types: str
    name: str
    tag: str


@dataclass(frozen=True, slots=True)
class Handed:
    """A tensor that is passed to a CUDA kernel as rows: a typed pointer with strides.

    Attributes:
        tensor: its identifier.
        type: its element type, ``const`` if the tensor is only read.
    """

    tensor: str
    type: str


@dataclass(frozen=True, slots=True)
class SkeletonView:
    """One skeleton.

    Attributes:
        op: the qualified name.
        key: the dispatch key.
        headers: the op's header, and for CUDA the shared one, as ``#include`` spells them.
        name: the kernel's function without its namespace.
        launched: the tensor with a thread for each of its elements; empty where every tensor is optional.
        handed: the tensors passed to a CUDA kernel: those that are never ``None``.
        namespace: the namespace of the kernel; empty for the global one.
        using: the namespace to import the header's names from; empty where they are visible.
        head: return type, name and parameters of the kernel.
        result: the return type.
        sizes: declarations of the named sizes.
        dispatches: the nested dtype dispatches, from the outside in.
        has_tensors: whether the kernel takes a tensor at all.
        broadcasts: the output whose sizes arguments are broadcast to; empty without broadcasting.
        place: the statement that throws until the maths is written.
    """

    op: str
    key: str
    headers: tuple[str, ...]
    name: str
    launched: str
    handed: tuple[Handed, ...]
    namespace: str
    using: str
    head: str
    result: str
    sizes: tuple[str, ...]
    dispatches: tuple[Dispatch, ...]
    has_tensors: bool
    broadcasts: str
    place: str


def skeleton_file(library: Library, op: Op, kernel: Kernel) -> OutputFile:
    """Emit ``kernels/BACKEND/OP.cpp`` or ``.cu``, unless the file exists: it belongs to the author."""
    signature = kernel_signature(op, kernel)
    namespace, _, name = kernel_symbol(kernel).rpartition("::")
    dispatches = tuple(_dispatches(op))
    names = [parameter.name for parameter in signature.parameters]
    shared = [f"{LibraryView.of(library).folder}/{CUDA_HEADER}"] if kernel.kind == "cuda" else []
    view = SkeletonView(
        op=op.qualified_name,
        key=kernel.dispatch_key,
        headers=tuple(sorted([header_path(library, op), *shared])),
        name=name,
        launched=_launched(op, signature),
        handed=tuple(_handed(op, signature, dispatches)),
        namespace=namespace,
        using="" if namespace.partition("::")[0] in {op.namespace, library.namespace} else f"::{library.namespace}",
        head=signature.declare(name),
        result=signature.result,
        sizes=tuple(sizes(op)),
        dispatches=dispatches,
        has_tensors="Tensor" in signature.type,
        broadcasts=next(_broadcast(op), ""),
        place="\n".join(fill("kernel_not_written(", [*map(c_string, (op.qualified_name, kernel.path)), *names], ");")),
    )
    template = "kernel.cu" if kernel.kind == "cuda" else "kernel.cpp"
    return OutputFile(kernel.path, render(f"cpp/{template}.j2", view), once=True)


def _launched(op: Op, signature: Signature) -> str:
    written = [argument for argument in op.written if argument.is_tensor and not argument.is_optional]
    read = [argument for argument in op.arguments if argument.is_tensor and not argument.is_optional]
    names = [parameter.name for parameter in signature.filled] + [cpp_name(a.name) for a in (*written, *read)]
    return next(iter(names), "")


def _broadcast(op: Op) -> Iterator[str]:
    for name, output in op.tensors.outputs.items():
        if isinstance(output, OutputSpec) and any(isinstance(extent, BroadcastExtent) for extent in output.extents):
            yield cpp_name(name)


def _handed(op: Op, signature: Signature, dispatches: Sequence[Dispatch]) -> Iterator[Handed]:
    """Yield the tensors whose element type is known in the kernel: fixed, dispatched on, or that of one that is."""
    types = {dispatch.tensor: dispatch.name for dispatch in dispatches}
    stated = [
        *((step.check.tensor, step.check.dtype) for step in op.tensors.steps if isinstance(step.check, CheckDtype)),
        *((name, spec.dtype) for name, spec in op.tensors.outputs.items() if isinstance(spec, OutputSpec)),
    ]
    for tensor, dtype in stated:
        match dtype:
            case DtypeSet((name,)) if name in ELEMENT_TYPE:
                types.setdefault(cpp_name(tensor), ELEMENT_TYPE[name])
            case DtypeLike(other) if cpp_name(other) in types:
                types.setdefault(cpp_name(tensor), types[cpp_name(other)])
    plain = [argument for argument in op.arguments if argument.is_tensor and not argument.is_optional]
    for argument in plain:
        name = cpp_name(argument.name)
        if name in types:
            yield Handed(name, types[name] if argument.written else f"const {types[name]}")
    for parameter in signature.filled:
        if parameter.name in types and parameter.type == "Tensor&":
            yield Handed(parameter.name, types[parameter.name])


def _dispatches(op: Op) -> Iterator[Dispatch]:
    """Yield a dispatch for each tensor that is never ``None`` and has more than one element type to choose from."""
    names = Names.of(op, cpp_name)
    plain = {cpp_name(a.name) for a in op.arguments if a.is_tensor and not a.is_optional}
    choices = [found for found in dtype_lists(op) if found.tensor in plain and len(found.types) > 1]
    for found in choices:
        prefix = "" if len(choices) == 1 else f"{found.tensor}_"
        types = f"dtypes::{cpp_name(op.identifier)}::{found.tensor}"
        yield Dispatch(found.tensor, types, f"{prefix or 'scalar_'}t", names.local(f"{prefix}dtype"))
