"""Types as values: what annotations and the aliases that they use are made of."""

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
"""Generic types under the names that this module gives them; ``typing``'s own and the built-in ones treat strings apart."""


def is_type(value: Value) -> bool:
    """Say whether a value can be an operand of ``|`` between types."""
    if isinstance(value, Symbol):
        return value.path != "builtins.Ellipsis"
    return isinstance(value, Generic | ClassValue) or value == Constant(None)


def union(members: tuple[Value, ...]) -> Value:
    """Return a flat union without repetitions."""
    flat: list[Value] = []
    for member in members:
        inner = number_or_union(member)
        flat += [one for one in inner if one not in flat]
    return flat[0] if len(flat) == 1 else Generic(UNION, tuple(flat))


def number_or_union(value: Value) -> tuple[Value, ...]:
    """Return the members of a union, and of ``torch.types.Number``, which is one; any other type alone."""
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
    """Say whether a type has a part that was written as a string."""
    return isinstance(value, String) or (isinstance(value, Generic) and any(map(has_string, value.arguments)))
