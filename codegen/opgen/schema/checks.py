"""The checks that PyTorch's parser makes beside the grammar: of types, overload names and the order of arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.diagnostics.fix import Applicability
from opgen.records import dataclass
from opgen.schema.codes import IMPOSSIBLE_TYPE, ITEM_ORDER, NUMBER_RANGE, OVERLOAD_NAME, SYNTAX, UNKNOWN_TYPE
from opgen.schema.errors import SchemaError
from opgen.schema.kinds import BASE_TYPES, kind_of, why_impossible
from opgen.schema.nodes import (
    Argument,
    BaseType,
    ClassType,
    GenericType,
    ListType,
    OperatorName,
    OptionalType,
    TupleType,
    Type,
)
from opgen.schema.spelling import is_foreign, suggestion
from opgen.source import Span

_TYPES_HELP = "common types are Tensor, SymInt, int, float, bool, str, Scalar, ScalarType and Device"
_MAX_NESTING = 100
_CLASS_PREFIX = "__torch__.torch.classes."


@dataclass(frozen=True, slots=True)
class TypeNames:
    """The type names that a schema may use beside the base types.

    Attributes:
        opaque: names registered with ``torch._library.opaque_object.register_opaque_type``, dotted or not.
        variables: whether lower-case names are type variables, as in ``aten::`` and ``prim::``.
    """

    opaque: frozenset[str] = frozenset()
    variables: bool = False

    def __contains__(self, name: str) -> bool:
        return name in BASE_TYPES or name in self.opaque or (self.variables and "a" <= name[0] <= "z")


def check_nesting(type_: Type) -> Iterator[SchemaError]:
    """Yield an error for a type nested so deeply that recursion on it would fail; PyTorch has no such limit."""
    layer: tuple[Type, ...] = (type_,)
    for _ in range(_MAX_NESTING):
        layer = tuple(part for outer in layer for part in _parts(outer))
        if not layer:
            return
    yield SchemaError(IMPOSSIBLE_TYPE, f"a type is nested more than {_MAX_NESTING} deep", type_.span, "simplify it")


def check_type(type_: Type, names: TypeNames) -> Iterator[SchemaError]:
    """Yield the errors in a type; the combination of parts is only checked if all parts are valid."""
    errors = [error for part in _parts(type_) for error in check_type(part, names)]
    if isinstance(type_, BaseType) and type_.name not in names:
        instead = suggestion(type_.name, known=names.opaque)
        help_ = f"write {instead}" if instead else _TYPES_HELP
        only_one = instead if instead and "," not in instead and type_.annotation is None else None
        applicability: Applicability = "safe" if is_foreign(type_.name) else "unsafe"
        message = f"unknown type '{type_.name}'"
        errors.append(SchemaError(UNKNOWN_TYPE, message, type_.span, help_, only_one, applicability))
    if isinstance(type_, ClassType) and not type_.name.startswith(_CLASS_PREFIX):
        message = f"expected a class of {_CLASS_PREFIX}NAMESPACE, found {type_.name}"
        errors.append(SchemaError(UNKNOWN_TYPE, message, type_.span))
    if not errors and (why := why_impossible(type_)):
        errors.append(SchemaError(IMPOSSIBLE_TYPE, why, type_.span))
    yield from errors


def _parts(type_: Type) -> tuple[Type, ...]:
    match type_:
        case OptionalType(element=element) | ListType(element=element):
            return (element,)
        case TupleType(elements=parts) | GenericType(parameters=parts):
            return parts
        case BaseType() | ClassType():
            return ()


def check_name(name: OperatorName) -> Iterator[SchemaError]:
    """Yield the errors in the overload name."""
    if name.overload == "default" or name.overload.startswith("__"):
        message = f"the overload can't be called '{name.overload}'"
        plain = name.name if name.overload == "default" and not name.namespace else None
        yield SchemaError(OVERLOAD_NAME, message, name.span, f"write {name.name}", plain)


def check_order(arguments: Sequence[Argument], *, is_vararg: bool = False) -> Iterator[SchemaError]:
    """Yield an error for each positional argument without default behind one with, and for defaults before ``...``."""
    optional = ""
    for argument in arguments:
        if argument.default is not None:
            optional = optional or argument.name
            if is_vararg:
                message = f"'{argument.name}' can't have a default in a schema with '...'"
                yield SchemaError(ITEM_ORDER, message, argument.span, "leave the default out")
        elif optional and not argument.kwarg_only and kind_of(argument.type).name != "list":
            message = f"'{argument.name}' has no default and follows '{optional}', which has one"
            help_ = f"move '{argument.name}' before '{optional}', or put a * before '{argument.name}'"
            yield SchemaError(ITEM_ORDER, message, argument.span, help_)


def misplaced_dots(span: Span, where: str) -> SchemaError:
    """Return the error for an item after ``...``."""
    return SchemaError(SYNTAX, f"'...' must be the last of the {where}", span, "move it to the end")


def unreadable_size(text: str, span: Span) -> SchemaError:
    """Return the error for a list size that ``std::stoll`` refuses."""
    return SchemaError(NUMBER_RANGE, f"the size of a list must be a 64-bit integer, found {text}", span)
