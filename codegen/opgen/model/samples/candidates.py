"""The values to try for a size, a pack or a scalar argument, the best first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from opgen.model.evaluate_expression import Environment
from opgen.model.op import Argument, Op
from opgen.model.sample_values import DeviceValue, DtypeValue, FormatValue, SampleValue
from opgen.model.samples.search import names_in
from opgen.model.samples.situation import truth
from opgen.model.tensors import BroadcastExtent, CheckPack
from opgen.schema.nodes import (
    BaseType,
    ConstantDefault,
    Default,
    ListDefault,
    ListType,
    NameDefault,
    NumberDefault,
    StringDefault,
    Type,
)
from opgen.schema.types import without_optional
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import Comparison, Constant, Expression, Item, Membership, Name
from opgen.spec.walk import children, walk

PRIMES = (5, 3, 7, 2, 11, 13, 17, 19, 23, 29, 31, 37)
"""Sizes by which a kernel that mixes up dims is caught: all different, none a multiple of another, and small.

An op with more sizes than primes repeats them.
"""

WIDE = (37, 41, 43, 47, 53)
"""Sizes of rows that are longer than a vector register of any dtype, and no multiple of its length."""

_FORMATS = {"Layout": "strided", "MemoryFormat": "contiguous_format"}
_POOL = (2, 3, 4, 5, 6, 7, 8, 1, 10, 11, 12, 13, 15, 16, 24, 32, 48, 64, 128, 256, 0)
"""Further sizes to try, for conditions between sizes."""


_MOST_HINTS = 128
"""How many values of one name conditions suggest: each is tried against all conditions about it."""


def _about(op: Op, name: str) -> tuple[Expression, ...]:
    """Return the conditions that suggest values of a name: those of the author and those that forms ask."""
    return (*op.conditions_about.get(name, ()), *op.asked_about.get(name, ()))


def size_candidates(op: Op, name: str, first: int) -> list[SampleValue]:
    """Return sizes for a name: those of ``tests: sizes``, or else ``first`` and those that conditions suggest."""
    stated = [value for value in op.spec.tests.sizes.get(name, ()) if isinstance(value, int)]
    if stated:
        return [*stated]
    about = _about(op, name)
    hints = [
        value for value in (*_listed(about, name), first, *_hints(about, name)) if isinstance(value, int) and value >= 0
    ]
    return _unique([*hints, *_POOL])


def pack_candidates(name: str, group: tuple[str, ...] | None, rank: int, start: int, place: int) -> list[SampleValue]:
    """Return sizes for a run of dims: of the given rank, then others.

    Args:
        name: of the run.
        group: the runs that it is broadcast against, itself among them.
        rank: of the first that is returned.
        start: how far into the primes all sizes of the call begin.
        place: of this run among them.
    """
    ones = [(), (1,), (1, 1)]
    if group is None:
        sizes = tuple(PRIMES[(start + place + offset) % len(PRIMES)] for offset in range(5, 5 + rank))
        return _unique([sizes, *ones, (2,), (2, 3), (2, 3, 2)])
    # Packs that are broadcast against each other share sizes, with a 1 at different places.
    is_first = group.index(name) == 0
    shared = (PRIMES[start % len(PRIMES)], PRIMES[(start + 1) % len(PRIMES)])
    spread = [shared if is_first else (1, shared[1]), shared[1:] if is_first else shared, *ones]
    return _unique([spread[min(2 - rank, 2)] if rank <= len(shared) else shared, *spread])


def broadcast_groups(op: Op) -> dict[str, tuple[str, ...]]:
    """Return the runs of dims that are broadcast against each other, by the name of each."""
    extents = [*op.tensors.output_extents]
    extents += [step.check.pack for step in op.tensors.steps if isinstance(step.check, CheckPack)]
    groups = (extent.packs for extent in extents if isinstance(extent, BroadcastExtent))
    return {name: packs for packs in reversed([*groups]) for name in packs}


def choices(op: Op, argument: Argument) -> tuple[SampleValue, ...]:
    """Return the values of an argument that switches modes of the op (a bool, listed choices); all are sampled."""
    type_ = without_optional(argument.type)
    name = type_.name if isinstance(type_, BaseType) else ""
    listed = [*_listed(op.conditions_about.get(argument.name, ()), argument.name)]
    if name == "bool":
        values: list[SampleValue] = [False, True]
    elif name == "Scalar":
        values = [2, 0.5]
    elif name in ("str", "ScalarType", "int", "SymInt", "float"):
        values = listed
    else:
        return ()
    if argument.default is not None:
        default = default_value(argument)
        values = [default, *(values or islice(_others(op, argument, default), 1))]
    return tuple(_unique([value for value in values if value is not None]))


def _others(op: Op, argument: Argument, default: SampleValue) -> Iterator[SampleValue]:
    """Yield values other than the default, with which a kernel that ignores the argument would go unnoticed."""
    if isinstance(default, float):
        values: list[SampleValue] = [default / 2 or 0.5, default * 2, *argument_candidates(op, argument, 1)]
    elif isinstance(default, DtypeValue):
        values = argument_candidates(op, argument, 1)
    else:
        return  # the search finds other integers; other strings and formats can't be guessed
    own = [each for each in op.conditions_about.get(argument.name, ()) if names_in(each) - {*DTYPES} == {argument.name}]
    for value in values:
        environment = Environment({argument.name: value}, {})
        if value != default and all(truth(each, environment) is not False for each in own):
            yield value


def argument_candidates(op: Op, argument: Argument, first: int) -> list[SampleValue]:
    """Return values for an argument that is no tensor; none for a type without sample values."""
    values = _values_of(op, argument, without_optional(argument.type), first)
    default = [] if argument.default is None else [default_value(argument)]
    return [value for value in _unique([*default, *values]) if value is not None]


def integers(op: Op) -> set[str]:
    """Return the names of the integer arguments whose value may be varied.

    An argument with a default such as -1 and no condition about it may be the number of a dim, and isn't among them.
    """
    return {argument.name for argument in op.arguments if _is_integer(argument) and not _is_sentinel(op, argument)}


def _is_integer(argument: Argument) -> bool:
    type_ = without_optional(argument.type)
    return isinstance(type_, BaseType) and type_.name in ("int", "SymInt")


def _is_sentinel(op: Op, argument: Argument) -> bool:
    default = None if argument.default is None else default_value(argument)
    is_unusual = isinstance(default, int) and default < 1
    return is_unusual and argument.name not in op.conditions_about


def default_value(argument: Argument) -> SampleValue:
    """Return the value of an argument's default, ``None`` without one."""
    type_ = without_optional(argument.type)
    value = None if argument.default is None else _default(argument.default, type_)
    if isinstance(type_, ListType) and type_.size is not None and value is not None and not isinstance(value, tuple):
        return (value,) * type_.size
    return value


def _default(default: Default, type_: Type) -> SampleValue:
    element = type_.element if isinstance(type_, ListType) else type_
    name = element.name if isinstance(element, BaseType) else ""
    match default:
        case ListDefault(items):
            return tuple(_default(item, element) for item in items)
        case NameDefault(dtype) if name == "ScalarType":
            return DtypeValue(dtype)
        case NameDefault(word) if name in _FORMATS:
            return FormatValue(word)
        case NumberDefault(value=value):
            return float(value) if name == "float" and isinstance(value, int) else value
        case StringDefault(text) if name == "Device":
            return DeviceValue(text)
        case StringDefault(value) | ConstantDefault(value) | NameDefault(value=value):
            return value


def _values_of(op: Op, argument: Argument, type_: Type, first: int) -> Sequence[SampleValue]:  # noqa: C901, PLR0911 - one case a type
    about = _about(op, argument.name)
    listed, hints = [*_listed(about, argument.name)], [*_hints(about, argument.name)]
    match type_:
        case BaseType("int" | "SymInt"):
            stated = [value for value in op.spec.tests.sizes.get(argument.name, ()) if isinstance(value, int)]
            numbers = [*listed, first, *hints, *_POOL]
            return stated or [number for number in numbers if type(number) is int]
        case BaseType("float"):
            numbers = [*listed, 0.5, *hints, 1.0, 2.0, 0.25, 0.0, -1.0]
            return [float(number) for number in numbers if isinstance(number, int | float)]
        case BaseType("Scalar"):
            return [2, 0.5]
        case BaseType("complex"):
            return [complex(1.0, 0.5)]
        case BaseType("bool"):
            return [False, True]
        case BaseType("str"):
            return [
                *listed,
                *(hint for hint in hints if isinstance(hint, str)),
                "a",
                "b",
                "other",
            ]
        case BaseType("ScalarType"):
            listed = [hint for hint in (*listed, *hints) if isinstance(hint, DtypeValue)]
            return listed or [DtypeValue("float32"), DtypeValue("float64"), DtypeValue("int64")]
        case BaseType("Layout" | "MemoryFormat" as name):
            return [FormatValue(_FORMATS[name])]
        case BaseType("Device"):
            return [DeviceValue("cpu")]
        case ListType(element, size):
            return _lists(_values_of(op, argument, element, first), size)
    return ()


def _lists(values: Sequence[SampleValue], size: int | None) -> list[SampleValue]:
    """Return lists: with different elements, by which mixed-up elements are caught, then with equal ones."""
    lists: list[SampleValue] = []
    for length in (size,) if size is not None else (2, 1, 3, 0):
        lists.append(tuple(values[place % len(values)] for place in range(length)) if values else ())
        lists += [(value,) * length for value in values[:6]]
    return lists


def _listed(conditions: Iterable[Expression], name: str) -> Iterator[SampleValue]:
    """Return the choices for a name in conditions ``name in (...)``."""
    choices = (
        _constant(choice)
        for condition in conditions
        for node in walk(condition)
        if isinstance(node, Membership) and node.operand == Name(name) and not node.negated
        for choice in node.choices
    )
    return islice(choices, _MOST_HINTS)


def _hints(conditions: Iterable[Expression], name: str) -> Iterator[SampleValue]:
    """Return values that the conditions about a name suggest."""
    near = (
        value
        for condition in conditions
        for node in walk(condition)
        if isinstance(node, Comparison) and any(_reads(operand, name) for operand in node.operands)
        for constant in _constants(node)
        for value in _near(constant)
    )
    return islice(near, _MOST_HINTS)


def _reads(expression: Expression, name: str) -> bool:
    return any(isinstance(node, Name | Item) and node.name == name for node in walk(expression))


def _constants(expression: Expression) -> Iterator[SampleValue]:
    if isinstance(expression, Constant):
        yield expression.value
    if isinstance(expression, Name) and expression.name in DTYPES:
        yield DtypeValue(expression.name)
    for child in children(expression):
        yield from _constants(child)


def _near(constant: SampleValue) -> Iterator[SampleValue]:
    if isinstance(constant, str | DtypeValue):
        yield constant
    elif isinstance(constant, int | float) and not isinstance(constant, bool):
        yield from (constant, constant * 2, constant + 1, constant - 1, constant * 3)
        if isinstance(constant, float):
            yield constant / 2


def _constant(choice: Expression) -> SampleValue:
    return (
        DtypeValue(choice.name) if isinstance(choice, Name) else choice.value if isinstance(choice, Constant) else None
    )


def _unique(values: Iterable[SampleValue]) -> list[SampleValue]:
    """Drop repetitions; ``1`` and ``True`` and ``1.0`` are different values."""
    return list({(type(value), value): value for value in values}.values())
