"""The C++ element types of dtypes, and which of them the contract admits for a tensor."""

from __future__ import annotations

from opgen.model.op import Op
from opgen.model.tensors import CheckDtype, DtypeEither, DtypeSet, ResolvedDtype
from opgen.records import dataclass
from opgen.targets.checks.lines import fill
from opgen.targets.dtypes import ELEMENT_TYPE
from opgen.targets.names import cpp_name


@dataclass(frozen=True, slots=True)
class DtypeList:
    """The element types that the contract admits for one tensor.

    Attributes:
        tensor: the argument's identifier.
        types: C++ types, in the order of the contract.
    """

    tensor: str
    types: tuple[str, ...]

    @property
    def alias(self) -> str:
        """The C++ alias declaration of the list in the op's header."""
        return "\n".join(fill(f"using {self.tensor} = Dtypes<", self.types, ">;"))


def dtype_lists(op: Op) -> tuple[DtypeList, ...]:
    """Return the element types of every tensor argument whose dtype the contract takes from a set."""
    names: dict[str, dict[str, None]] = {}
    for step in op.tensors.steps:
        if isinstance(step.check, CheckDtype):
            admitted = _admitted(step.check.dtype, names)
            if admitted:
                names.setdefault(step.check.tensor, {}).update(dict.fromkeys(admitted))
    lists = (
        DtypeList(cpp_name(tensor), tuple(ELEMENT_TYPE[name] for name in dtypes if name in ELEMENT_TYPE))
        for tensor, dtypes in names.items()
    )
    return tuple(found for found in lists if found.types)


def _admitted(dtype: ResolvedDtype, known: dict[str, dict[str, None]]) -> tuple[str, ...]:
    match dtype:
        case DtypeSet(names):
            return names
        case DtypeEither(ties, names):
            return (*(name for tie in ties for name in known.get(tie.tensor, ())), *names)
    return ()
