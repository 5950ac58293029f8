"""The types that PyTorch stores for written ones: its "fake" types, in which ``SymInt`` and ``ScalarType`` are ``int``.

Sources: ``SchemaTypeParser`` in ``torch/csrc/jit/frontend/schema_type_parser.cpp``,
``aten/src/ATen/core/union_type.cpp`` (a union of types that unify to one is refused), ``unifyTypes`` in
``aten/src/ATen/core/type.cpp``.
"""

from __future__ import annotations

from typing import NamedTuple

from opgen.schema.nodes import BaseType, ClassType, GenericType, ListType, OptionalType, TupleType, Type

INT_LIKE = frozenset({"int", "SymInt", "ScalarType", "Layout", "MemoryFormat", "DeviceIndex", "ConstQuantizerPtr"})
"""Types that are stored as ``int``."""

BASE_TYPES = INT_LIKE | frozenset(
    "Tensor Storage Generator Device Stream QScheme Quantizer Scalar str float bool complex SymBool "  # noqa: SIM905 - words
    "None NoneType "
    "Capsule Any AnyClassType AnyEnumType".split()
)
"""Every type that is a single name."""

_DICT_KEYS = frozenset({"int", "float", "complex", "bool", "str", "Tensor", "Device", "Any"})


class Kind(NamedTuple):
    """A stored type: a base type, or ``list``, ``optional``, ``tuple``, ``Union``, ``Dict``, ... with its ``parts``."""

    name: str
    parts: tuple[Kind, ...] = ()


NONE = Kind("None")
ANY = Kind("Any")
SCALAR = Kind("Scalar")
_NUMBERS = (Kind("int"), Kind("float"), Kind("complex"))


def kind_of(type_: Type) -> Kind:  # noqa: PLR0911 - one for each node
    """Return the type that PyTorch stores for a written one; names other than base types count as type variables."""
    match type_:
        case BaseType(name=name):
            known = "int" if name in INT_LIKE else name if name in BASE_TYPES else "variable"
            return NONE if name == "NoneType" else Kind(known)
        case ClassType(name=name):
            return Kind("class", (Kind(name),))
        case ListType(element=element):
            return Kind("list", (kind_of(element),))
        case OptionalType(element=element):
            return _optional(kind_of(element))
        case TupleType(elements=parts):
            return Kind("tuple", tuple(map(kind_of, parts)))
        case GenericType(name="Union", parameters=parts):
            return _union(tuple(map(kind_of, parts)))
        case GenericType(name=name, parameters=parts):
            return Kind(name, tuple(map(kind_of, parts)))


def why_impossible(type_: Type) -> str:
    """Return the reason why PyTorch refuses a type whose parts are valid; empty if it doesn't."""
    match type_:
        case OptionalType(element=element) if kind_of(element) == NONE:
            return "an optional of None is no type"
        case GenericType(name="Dict", parameters=(key, _)) if kind_of(key).name not in _DICT_KEYS:
            return "the key of a Dict must be int, float, complex, bool, str, Tensor or Device"
        case GenericType(name="Union") if len(kind_of(type_).parts) == 1 and kind_of(type_).name == "Union":
            return "the types of this Union are one type to PyTorch"
    return ""


def _optional(kind: Kind) -> Kind:
    return kind if kind.name == "optional" else Kind("optional", (kind,))


def _union(parts: tuple[Kind, ...]) -> Kind:
    members = _without_duplicates([member for part in parts for member in _flat(part)])
    others = tuple(sorted(set(members) - {NONE}))
    if NONE in members and len(others) == 1:
        return _optional(others[0])
    if others == tuple(sorted(_NUMBERS)):
        return _optional(SCALAR) if NONE in members else SCALAR
    return Kind("Union", tuple(sorted(members)))


def _flat(kind: Kind) -> tuple[Kind, ...]:
    if kind.name == "Union":
        return tuple(member for part in kind.parts for member in _flat(part))
    if kind.name == "optional":
        return (*_flat(kind.parts[0]), NONE)
    return _NUMBERS if kind == SCALAR else (kind,)


def _without_duplicates(members: list[Kind]) -> list[Kind]:
    """Unify members of a union from right to left, as ``filterDuplicateSubtypes`` does: the order can matter."""
    last = len(members) - 1
    for i in range(last, 0, -1):
        for j in range(min(i - 1, last), -1, -1):
            one_is_none = (members[i] == NONE) != (members[j] == NONE)
            unified = None if one_is_none else _unify(members[i], members[j])
            if unified:
                members[j], members[i] = unified, members[last]
                last -= 1
                break
    return members[: last + 1]


def _unify(one: Kind, other: Kind) -> Kind | None:
    if is_subtype(one, other):
        return other
    if is_subtype(other, one):
        return one
    if NONE in (one, other):
        return _optional(other if one == NONE else one)
    if "optional" in (one.name, other.name):
        inner = _unify(one.parts[0], other) if one.name == "optional" else _unify(one, other.parts[0])
        return inner and _optional(inner)
    if one.name == other.name and one.name in {"tuple", "Future"} and len(one.parts) == len(other.parts):
        parts = [_unify(*pair) for pair in zip(one.parts, other.parts, strict=True)]
        known = tuple(part for part in parts if part)
        return Kind(one.name, known) if len(known) == len(parts) else None
    return None


def is_subtype(one: Kind, other: Kind) -> bool:
    """Whether ``one`` is a subtype of ``other``. Source: ``Type::isSubtypeOfExt``, ``aten/src/ATen/core/type.cpp``."""
    if other in {one, ANY} or (other == SCALAR and one in _NUMBERS):
        return True
    if other.name == "AnyClassType":
        return one.name == "class"
    if other.name in {"optional", "Union"}:
        return all(any(is_subtype(part, choice) for choice in _flat(other)) for part in _flat(one))
    if one.name == other.name and one.name in {"tuple", "Future", "Await", "RRef"}:
        same_length = len(one.parts) == len(other.parts)
        return same_length and all(map(is_subtype, one.parts, other.parts))
    return False
