"""The dtypes that ``tensors`` allows for a tensor, and the tensors that its dtype is tied to (``x.dtype``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from opgen.model.compute.nodes import Kind, ValueType
from opgen.model.tensors import (
    CheckDtype,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    OutputSpec,
    ResolvedDtype,
    TensorContract,
)
from opgen.records import dataclass
from opgen.spec.dtypes import DTYPES, FLOAT, FLOAT8, INTEGRAL, in_order, promote

Stored: TypeAlias = Kind | Literal["any"]
"""The kind of a result; ``any`` if an argument of type ``ScalarType`` decides it."""


_CHOSEN = tuple(name for name in DTYPES if name != "float8_e8m0fnu")
"""Dtypes that a ``ScalarType`` argument may name: not float8_e8m0fnu, which holds only powers of 2."""


@dataclass(frozen=True, slots=True)
class TensorType:
    """The element type of a tensor.

    Attributes:
        names: the dtypes that it may have.
        roots: the tensors that its dtype is tied to; the tensor itself if it isn't tied.
        is_chosen: an argument of type ``ScalarType`` names the dtype.
    """

    names: tuple[str, ...]
    roots: tuple[str, ...]
    is_chosen: bool = False

    @property
    def kind(self) -> Kind | None:
        """The kind of its values; ``None`` if expressions can't compute with them, as with complex ones."""
        kinds = {_kind(name) for name in self.names}
        if kinds == {"int", "float"}:
            return "number"
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def stored(self) -> Stored | None:
        """The kind of values that may be stored in it."""
        return "any" if self.is_chosen else self.kind

    @property
    def value(self) -> ValueType | None:
        """The type that a loaded element is computed in; float8 is widened at once, as PyTorch doesn't promote it."""
        kind = self.kind
        if kind is None:
            return None
        if set(self.names) <= set(FLOAT8):
            return ValueType("float", dtypes=("float32",))
        return ValueType(kind, self.roots) if not set(self.names) & set(FLOAT8) else None


def _kind(name: str) -> Kind | None:
    if name == "bool":
        return "bool"
    if name in INTEGRAL:
        return "int"
    return "float" if name in FLOAT or name in FLOAT8 else None


class TensorTypes:
    """The types of the tensors of one op."""

    def __init__(self, contract: TensorContract) -> None:
        """Collect the dtype checks of the arguments from a contract."""
        self._checks: dict[str, ResolvedDtype] = {}
        self._contract = contract
        self._optional: set[str] = set()
        for step in contract.steps:
            if isinstance(step.check, CheckDtype):
                self._checks.setdefault(step.check.tensor, step.check.dtype)
                if step.check.tensor in step.given:
                    self._optional.add(step.check.tensor)

    def of_argument(self, name: str) -> TensorType:
        """Return the element type of an argument."""
        return self._resolved(self._checks.get(name), name, frozenset({name}))

    def of_output(self, name: str) -> TensorType | None:
        """Return the element type of an output; ``None`` if its contract has several cases."""
        spec = self._contract.outputs.get(name)
        return self._resolved(spec.dtype, name, frozenset({name})) if isinstance(spec, OutputSpec) else None

    def _resolved(self, dtype: ResolvedDtype | None, name: str, seen: frozenset[str]) -> TensorType:
        match dtype:
            case DtypeSet(names):
                return TensorType(names, (name,))
            case DtypeLike(tensor) if tensor not in seen:
                return self._resolved(self._checks.get(tensor), tensor, seen | {tensor})
            case DtypePromoted(arguments, numbers):
                return _beside(numbers, self._promoted([each for each in arguments if each in self._checks]))
            case DtypeArgument():
                return TensorType(_CHOSEN, (name,), is_chosen=True)
            case DtypeEither(ties, names):
                tied = [self._resolved(tie, name, seen) for tie in ties]
                return TensorType((*names, *(each for one in tied for each in one.names)), (name,))
        return TensorType(DTYPES, (name,))

    def _promoted(self, arguments: Sequence[str]) -> TensorType:
        """Return the promoted type of some tensors: the possible dtypes, which are of the widest kind among them."""
        types = {name: self.of_argument(name) for name in arguments}
        roots = tuple(dict.fromkeys(root for each in types.values() for root in each.roots))
        order: Mapping[Kind | None, int] = {"bool": 0, "int": 1, "number": 2, "float": 3, None: 4}
        widest = max(types.values(), key=lambda each: order[each.kind], default=TensorType(DTYPES, ()))
        found: set[str] = set()
        for name in sorted(types, key=self._optional.__contains__):
            joined = filter(None, (promote(one, other) for one in found for other in types[name].names))
            alone = found if name in self._optional else set[str]()
            found = {*joined, *alone} if found else set(types[name].names)
        kinds = {_kind(name) for name in widest.names}
        return TensorType(in_order(name for name in found if _kind(name) in kinds) or widest.names, roots)


def _beside(numbers: Sequence[str], tensors: TensorType) -> TensorType:
    """Return the promoted type of tensors and scalars, for each combination of their possible dtypes."""
    found = {_outranked(name, number) for name in tensors.names for number in numbers}
    return TensorType(in_order(found), tensors.roots) if found else tensors


def _outranked(tensor: str, number: str) -> str:
    """Return the dtype of a tensor, unless the scalar's is of a wider kind."""
    order = (frozenset({"bool"}), frozenset(INTEGRAL))
    ranks = [next((rank for rank, names in enumerate(order) if name in names), len(order)) for name in (tensor, number)]
    return number if ranks[1] > ranks[0] else tensor
