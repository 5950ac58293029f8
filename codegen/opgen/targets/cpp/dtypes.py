"""The C++ element types of dtypes, and which of them the contract admits for a tensor."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.model.op import Op
from opgen.model.tensors import CheckDtype, DtypeEither, DtypeSet, ResolvedDtype
from opgen.targets.checks.lines import fill
from opgen.targets.names import cpp_name

# Source: AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS in torch/headeronly/core/ScalarType.h. A dtype that has no
# element type of its own (float4_e2m1fn_x2: two elements a byte) is missing: nothing can be computed with it.
_ELEMENT = {
    "bool": "bool",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "float8_e4m3fn": "Float8_e4m3fn",
    "float8_e4m3fnuz": "Float8_e4m3fnuz",
    "float8_e5m2": "Float8_e5m2",
    "float8_e5m2fnuz": "Float8_e5m2fnuz",
    "float8_e8m0fnu": "Float8_e8m0fnu",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "float32": "float",
    "float64": "double",
    "complex32": "complex<Half>",
    "complex64": "complex<float>",
    "complex128": "complex<double>",
}


@dataclass(frozen=True, slots=True)
class DtypeList:
    """The element types of one tensor.

    Attributes:
        tensor: the argument's identifier.
        types: C++ types, in the order of the contract.
    """

    tensor: str
    types: tuple[str, ...]

    @property
    def alias(self) -> str:
        """The alias declaration."""
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
        DtypeList(cpp_name(tensor), tuple(_ELEMENT[name] for name in dtypes if name in _ELEMENT))
        for tensor, dtypes in names.items()
    )
    return tuple(found for found in lists if found.types)


def _admitted(dtype: ResolvedDtype, known: dict[str, dict[str, None]]) -> tuple[str, ...]:
    match dtype:
        case DtypeSet(names):
            return names
        case DtypeEither(like, names):
            return (*known.get(like.tensor, ()), *names)
    return ()
