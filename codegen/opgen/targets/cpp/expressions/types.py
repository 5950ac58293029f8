"""What values are computed in, in C++: a type that is known, or one that is chosen when the kernel is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import product
from typing import TypeAlias

from opgen.model.compute.dtypes import TensorTypes
from opgen.model.compute.nodes import ValueType
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.spec.dtypes import FLOAT, FLOAT8, promote
from opgen.targets.dtypes import ELEMENT_TYPE, SCALAR_TYPE

_WEAK = {"bool": "bool", "int": "int64_t", "float": "double", "number": "double"}
"""What numbers are computed in that meet nothing else."""

_NARROW = frozenset((*FLOAT, *FLOAT8)) - {"float64"}


@dataclass(frozen=True, slots=True)
class Key:
    """A type that depends on dtypes: that of a floating-point value or not, of some tensors and dtypes."""

    floating: bool
    tensors: tuple[str, ...]
    dtypes: tuple[str, ...]


CppType: TypeAlias = str | Key
"""A type by its name, or one that is chosen in a call."""

Case: TypeAlias = tuple[str, ...]
"""A C++ type for each of the chosen types."""


@dataclass(frozen=True)
class Types:
    """The types of one op's values.

    Attributes:
        op: whose values.
    """

    op: Op

    def of(self, type_: ValueType) -> CppType:
        """Return what a value is computed in."""
        if type_.kind == "bool":
            return "bool"
        if type_.weak:
            return _WEAK[type_.kind]
        key = Key(type_.kind == "float", type_.tensors, type_.dtypes)
        if key not in self._known:
            found = {case for (case,) in self.cases([key])}
            self._known[key] = found.pop() if len(found) == 1 else key
        return self._known[key]

    def elements(self, tensor: str, *, is_output: bool) -> tuple[str, ...]:
        """Return the dtypes that a tensor may have, those that C++ can compute with."""
        held = self._tensors.of_output(tensor) if is_output else self._tensors.of_argument(tensor)
        names = held.names if held is not None else tuple(ELEMENT_TYPE)
        return tuple(name for name in names if name in ELEMENT_TYPE and not name.startswith("complex"))

    def is_own(self, tensor: str, type_: ValueType, *, is_output: bool) -> bool:
        """Whether a tensor's dtype alone decides what a value is computed in."""
        held = self._tensors.of_output(tensor) if is_output else self._tensors.of_argument(tensor)
        if held is None or type_.dtypes or held.roots != type_.tensors:
            return False
        return type_.kind != "float" or set(held.names) <= _NARROW | {"float64"}

    def root(self, tensor: str, *, is_output: bool) -> str:
        """Return the argument that a tensor's dtype is tied to, itself where it is tied to none."""
        held = self._tensors.of_output(tensor) if is_output else self._tensors.of_argument(tensor)
        return held.roots[0] if held is not None and len(held.roots) == 1 else tensor

    def cases(self, chosen: Sequence[Key]) -> list[Case]:
        """Return all combinations of some chosen types, in their order."""
        tensors = tuple(dict.fromkeys(tensor for key in chosen for tensor in key.tensors))
        found: dict[Case, None] = {}
        for choice in self._choices(tensors):
            types = [_computed(key, dict(zip(tensors, choice, strict=True))) for key in chosen]
            if None not in types:
                found[tuple(ELEMENT_TYPE[str(type_)] for type_ in types)] = None
        return list(found)

    @cached_property
    def _tensors(self) -> TensorTypes:
        return TensorTypes(self.op.tensors)

    @cached_property
    def _known(self) -> dict[Key, CppType]:
        return {}

    def _choices(self, tensors: Iterable[str]) -> Iterable[tuple[str, ...]]:
        return product(*(self._classes(tensor) for tensor in tensors))

    def _classes(self, tensor: str) -> list[str]:
        """Return what a tensor is computed in: dtypes of one kind as one of them; absent it takes no part."""
        names = self.elements(tensor, is_output=tensor not in self.op.argument)
        absent = ["bool"] if tensor in self.op.argument and self.op.argument[tensor].is_optional else []
        return list(dict.fromkeys([*("float32" if name in _NARROW else name for name in names), *absent]))


def _computed(key: Key, found: dict[str, str]) -> str | None:
    """Return the dtype that is computed in, ``None`` where PyTorch promotes none."""
    joined: str | None = "bool"
    for dtype in (*(found[tensor] for tensor in key.tensors), *key.dtypes):
        joined = joined and promote(joined, dtype)
    if joined is None or joined == "float64":
        return joined
    return "float32" if key.floating or joined in _NARROW else joined


def dtype_arguments(key: Key, argument: Callable[[str], str]) -> str:
    """Render the call that finds a type: ``points::computed_in(true, {points::dtype_of(x)})``."""
    tensors = [f"points::dtype_of({argument(tensor)})" for tensor in key.tensors]
    fixed = [f"ScalarType::{SCALAR_TYPE[dtype]}" for dtype in key.dtypes]
    return f"points::computed_in({'true' if key.floating else 'false'}, {{{', '.join([*tensors, *fixed])}}})"
