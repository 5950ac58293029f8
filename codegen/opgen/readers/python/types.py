"""Types as values of expressions, for annotations and type aliases."""

from __future__ import annotations

from opgen.readers.python.values import ClassValue, Constant, Generic, Items, String, Symbol, Value

UNION = "typing.Union"

_ORIGINS = {
    "builtins.list": "list",
    "typing.List": "List",
    "typing.Sequence": "Sequence",
    "collections.abc.Sequence": "collections.abc.Sequence",
    "builtins.tuple": "tuple",
    "typing.Tuple": "tuple",
}
"""Generic type -> its canonical name; ``typing``'s generics and the built-in ones differ in how they treat strings."""


def is_type(value: Value) -> bool:
    """Whether a value can be an operand of ``|`` between types."""
    if isinstance(value, Symbol):
        return value.path != "builtins.Ellipsis"
    return isinstance(value, Generic | ClassValue) or value == Constant(None)


def union(members: tuple[Value, ...]) -> Value:
    """Return a flat union without duplicates."""
    flat: list[Value] = []
    for member in members:
        inner = number_or_union(member)
        flat += [one for one in inner if one not in flat]
    return flat[0] if len(flat) == 1 else Generic(UNION, tuple(flat))


def number_or_union(value: Value) -> tuple[Value, ...]:
    """Return the members of a union, or of ``torch.types.Number``, which is one; for any other type only itself."""
    if isinstance(value, Generic) and value.origin == UNION:
        return value.arguments
    if isinstance(value, Symbol) and value.path == "torch.types.Number":
        return tuple(Symbol(f"builtins.{name}", value.location) for name in ("int", "float", "bool"))
    return (value,)


def generic(owner: Value, index: Value) -> Value | None:
    """Return ``owner[index]`` if that is a type."""
    if not isinstance(owner, Symbol):
        return None
    arguments = index.items if isinstance(index, Items) else (index,)
    if owner.path == "typing.Optional" and len(arguments) == 1:
        return union((*arguments, Constant(None)))
    if owner.path == UNION:
        return union(arguments)
    is_known = owner.path.partition(".")[0] in {"builtins", "typing", "collections", "torch"}
    return Generic(_ORIGINS.get(owner.path, owner.path), arguments) if is_known else None


def has_string(value: Value) -> bool:
    """Whether a part of a type was written as a string."""
    return isinstance(value, String) or (isinstance(value, Generic) and any(map(has_string, value.arguments)))
