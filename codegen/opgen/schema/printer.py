"""Prints a schema in canonical form. Unlike PyTorch's own ``str(schema)`` it is an inverse of the parser.

Printing the canonical form again gives the same text, and PyTorch reads it as the same schema: names, types, sizes,
defaults, keyword-only arguments, writes, and which arguments and returns share memory. A bare ``!`` gets a letter that
the schema does not use, names of dtypes are kept, and numbers are the shortest that are read back exactly: ``int
x=1E5``, which PyTorch reads as 1, is printed as ``1``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from string import ascii_lowercase
from sys import float_info

from opgen.schema import strings
from opgen.schema.aliases import dropped_annotations, kept_annotations
from opgen.schema.kinds import SCALAR, kind_of
from opgen.schema.nodes import (
    Annotation,
    Argument,
    BaseType,
    ClassType,
    ConstantDefault,
    Default,
    FunctionSchema,
    GenericType,
    ListDefault,
    ListType,
    NameDefault,
    NumberDefault,
    OptionalType,
    Return,
    StringDefault,
    TupleType,
    Type,
)


def print_schema(schema: FunctionSchema) -> str:
    """Return the canonical text of a schema."""
    printer = _Printer(_unused_names(schema))
    arguments: list[str] = []
    for argument in schema.arguments:
        if argument.kwarg_only and "*" not in arguments:
            arguments.append("*")
        arguments.append(printer.argument(argument))
    returns = [printer.result(result) for result in schema.returns]
    if schema.is_vararg:
        arguments.append("...")
    if schema.is_varret:
        returns.append("...")
    # A bracket after the arrow always opens the list of returns, so a single tuple needs two pairs of brackets.
    is_bare = len(returns) == 1 and not returns[0].startswith("(")
    result = returns[0] if is_bare else f"({', '.join(returns)})"
    return f"{schema.name}({', '.join(arguments)}) -> {result}"


def print_argument(argument: Argument) -> str:
    """Return ``TYPE NAME=DEFAULT`` as in a canonical schema, but keep a bare ``!``."""
    return _Printer(None).argument(argument)


def print_type(type_: Type) -> str:
    """Return a type as in a canonical schema, but keep a bare ``!``."""
    return _Printer(None).type(type_)


def print_default(default: Default) -> str:
    """Return a default as in a canonical schema."""
    match default:
        case NumberDefault(value=value):
            return _number(value)
        case StringDefault(value=value):
            return strings.encode(value)
        case NameDefault(name=name):
            return name
        case ConstantDefault(value=value):
            return str(value)
        case ListDefault(items=items):
            return f"[{', '.join(map(print_default, items))}]"


class _Printer:
    """Prints types; ``letters`` are the alias sets for bare ``!``, which is kept with ``None``."""

    def __init__(self, letters: Iterator[str] | None) -> None:
        self._letters = letters

    def argument(self, argument: Argument) -> str:
        default = "" if argument.default is None else f"={print_default(argument.default)}"
        return f"{self.type(argument.type)} {argument.name}{default}"

    def result(self, result: Return) -> str:
        return f"{self.type(result.type)} {result.name}" if result.name else self.type(result.type)

    def type(self, type_: Type) -> str:  # noqa: PLR0911 - one for each node
        match type_:
            case BaseType(name=name, annotation=annotation):
                return name + self._annotation(annotation)
            case ClassType(name=name):
                return name
            case OptionalType(element=OptionalType(element=inner) as element):
                # T?? is T?, except Scalar??, which PyTorch stores as an optional union of numbers
                return self.type(element) + ("?" if kind_of(inner) == SCALAR else "")
            case OptionalType(element=element):
                return f"{self.type(element)}?"
            case ListType(element=element, size=size, annotation=annotation):
                number = "" if size is None else str(size % 2**32)
                return f"{self.type(element)}[{number}]{self._annotation(annotation)}"
            case TupleType(elements=parts):
                return f"({', '.join(map(self.type, parts))})"
            case GenericType(name=name, parameters=parts, annotation=annotation):
                return f"{name}({', '.join(map(self.type, parts))}){self._annotation(annotation)}"

    def _annotation(self, annotation: Annotation | None) -> str:
        if annotation is None:
            return ""
        if annotation.before:
            before = "|".join(annotation.before)
        elif self._letters is None:
            return "!"
        else:
            before = next(self._letters)
        write = "!" if annotation.is_write else ""
        moves = annotation.after is not None and set(annotation.after) != set(annotation.before)
        after = f" -> {'|'.join(annotation.after or ())}" if moves else ""
        return f"({before}{write}{after})"


def _unused_names(schema: FunctionSchema) -> Iterator[str]:
    values: list[Argument | Return] = [*schema.arguments, *schema.returns]
    annotations = [
        annotation
        for value in values
        for annotation in (*kept_annotations(value.type), *dropped_annotations(value.type))
    ]
    used = {name for annotation in annotations for name in (*annotation.before, *(annotation.after or ()))}
    names = chain(ascii_lowercase, (f"a{number}" for number in count()))
    return (name for name in names if name not in used)


def _number(value: int | float | complex) -> str:  # noqa: PYI041 - three kinds to PyTorch
    if isinstance(value, complex):
        return f"{_number(value.imag)}j"
    if isinstance(value, int):
        return str(value)
    if 0 < abs(value) < float_info.min:
        return value.hex()  # std::stod refuses a subnormal in decimal notation unless it is exact
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
