"""An op registered as by hand, without any check: the baseline of the call overhead that ``opgen bench`` measures.

The same kernel file, on the same ABI, under the same schema, registered in the namespace ``NAMESPACE_by_hand``. Outputs
are allocated by the contract; nothing is checked, no version counted, no gradient refused. On the classic ABI functions
are registered as most people do, and boxed by PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.checks.cpp import allocations, bindings
from opgen.targets.cpp.library import LibraryView
from opgen.targets.cpp.members import member_by_hand
from opgen.targets.cpp.signature import function_head, kernel_signature
from opgen.targets.cpp.types import result_type
from opgen.targets.cpp.unit import SUFFIX, Wrapper, kernel_call, return_outputs
from opgen.targets.output import OutputFile
from opgen.targets.schema_hash import definition
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class ByHandView:
    """The unit of one kernel.

    Attributes:
        library: the names that every file of the library uses.
        op: the qualified name of the declared op.
        namespace: the namespace that it is registered in.
        is_classic: it is compiled for the classic ABI.
        kernel: the kernel that it calls.
        schemas: the schemas of the op and of the ops derived from it.
        wrappers: the registered functions, one for each schema.
    """

    library: LibraryView
    op: str
    namespace: str
    is_classic: bool
    kernel: Kernel
    schemas: tuple[str, ...]
    wrappers: tuple[Wrapper, ...]


def by_hand_namespace(op: Op) -> str:
    """Return ``NAMESPACE_by_hand``, in which the op is registered beside the generated one."""
    return f"{op.namespace}_by_hand"


def by_hand_file(library: Library, op: Op, kernel: Kernel, folder: str) -> OutputFile:
    """Emit ``FOLDER/BACKEND/OP.cpp``."""
    family = library.families[op.qualified_name]
    view = ByHandView(
        library=LibraryView.of(library),
        op=op.qualified_name,
        namespace=by_hand_namespace(op),
        is_classic=op.abi == "classic",
        kernel=kernel,
        schemas=tuple(map(definition, family)),
        wrappers=tuple(_wrapper(member, kernel) for member in family),
    )
    return OutputFile(f"{folder}/{kernel.unit}.cpp", render("bench/by_hand.cpp.j2", view))


def _wrapper(op: Op, kernel: Kernel) -> Wrapper:
    signature = kernel_signature(op, kernel)
    name = f"call{SUFFIX[op.contract] if op.is_derived else ''}"
    result = result_type(tuple(output.type for output in op.outputs), op.abi)
    schema_name = f"{op.name}.{op.overload}" if op.overload else op.name
    return Wrapper(function_head(result, name, signature.arguments), tuple(_body(op, kernel)), name, schema_name)


def _body(op: Op, kernel: Kernel) -> Iterator[str]:
    if op.derivation is not None:
        yield from member_by_hand(op, op.derivation, kernel)
        yield return_outputs(op)
        return
    signature = kernel_signature(op, kernel)
    if signature.filled:
        yield from bindings(op)
        yield from allocations(op)
    yield from kernel_call(op, kernel, signature)
