"""The header of one op, which its author's kernels include: what the contract says, and its element types."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.cpp.dtypes import DtypeList, dtype_lists
from opgen.targets.cpp.library import INCLUDE_FOLDER, SHARED_HEADERS, LibraryView
from opgen.targets.cpp.signature import kernel_signature, kernel_symbol
from opgen.targets.names import cpp_name
from opgen.targets.output import OutputFile
from opgen.targets.schema_hash import definition
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class HeaderView:
    """One header.

    Attributes:
        library: the names that every file of the library uses.
        op: the qualified name.
        namespace: the C++ namespace of the op's kernels, in which the shared names are visible.
        identifier: the op's identifier.
        text: schema and contract, for the comment at the top.
        dtypes: the element types of each tensor argument with a choice.
    """

    library: LibraryView
    op: str
    namespace: str
    identifier: str
    text: str
    dtypes: tuple[DtypeList, ...]


def header_path(library: Library, op: Op) -> str:
    """Return the header's path below ``generated/csrc``, as an ``#include`` spells it: ``mylib_ops/rms_norm.h``.

    That of an op called ``support`` is ``support.op.h``, which no other op can have.
    """
    is_taken = f"{op.identifier}.h".lower() in SHARED_HEADERS
    return f"{LibraryView.of(library).folder}/{op.identifier}{'.op' if is_taken else ''}.h"


def header_file(library: Library, op: Op) -> OutputFile:
    """Emit ``generated/csrc/PACKAGE/OP.h``."""
    view = HeaderView(
        library=LibraryView.of(library),
        op=op.qualified_name,
        namespace=op.namespace,
        identifier=cpp_name(op.identifier),
        text="\n".join(_text(op, library.families[op.qualified_name][1:])),
        dtypes=dtype_lists(op),
    )
    return OutputFile(f"{INCLUDE_FOLDER}/{header_path(library, op)}", render("cpp/op.h.j2", view))


def _text(op: Op, derived: tuple[Op, ...]) -> Iterator[str]:
    if op.doc:
        yield from (*op.doc.strip().splitlines(), "")
    yield from ("Schema:", f"  {definition(op)}")
    if derived:
        yield from ("", "Derived, and served by the same kernels:", *(f"  {definition(member)}" for member in derived))
    for kernel in op.kernels:
        if kernel.kind in {"cpp", "cuda"}:
            signature = kernel_signature(op, kernel).declare(kernel_symbol(kernel))
            yield from ("", f"Kernel ({kernel.path}):", *(f"  {line}" for line in signature.splitlines()))
    contract = [(entry.key.value, entry.text.value) for entry in op.spec.tensors]
    conditions = [entry.text.value for entry in op.spec.checks]
    if contract or conditions:
        width = max((len(key) for key, _ in contract), default=0)
        yield from ("", "Contract, which holds whenever the kernel is called:")
        yield from (f"  {key:{width}}  {text}" for key, text in contract)
        yield from (f"  {condition}" for condition in conditions)
