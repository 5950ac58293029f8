"""Resolves names and slices in expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from opgen.model.compute import codes
from opgen.model.compute.functions import CONSTANTS, FUNCTIONS, SPECIAL
from opgen.model.compute.here import Here
from opgen.model.compute.nodes import Kind, Load, Named, Number, Operand, Scalar, SizeOf, Value, ValueType
from opgen.model.compute.slices import slice_of
from opgen.model.compute.space import repeated, shape_of
from opgen.model.op import Argument
from opgen.model.tensor_contract.scope import did_you_mean, kind_of
from opgen.records import dataclass
from opgen.schema.nodes import BaseType
from opgen.schema.types import without_optional
from opgen.source import Span
from opgen.spec import kernel_expression as ke
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import Name

_SCALARS: dict[str, Kind] = {
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "SymFloat": "float",
    "bool": "bool",
    "SymBool": "bool",
    "Scalar": "number",
}
_OTHER_NAMES = {
    "e": "write `exp(x)`",
    "true": "write `True`",
    "false": "write `False`",
    "infinity": "write `inf`",
    "grad": "gradients belong under `autograd`",
}
"""Names from other languages and libraries, with their equivalent here, for the remedy in a diagnostic."""


@dataclass(frozen=True)
class Leaves:
    """Resolves names and slices.

    A method returns ``None`` after reporting why there is no value.

    Attributes:
        here: the text and the known facts at the current place.
        named: returns the reference to an entry by name; ``None`` if it has no value, which has been reported.
        entries: the names of the entries.
    """

    here: Here
    named: Callable[[str], Named | None]
    entries: Iterable[str]

    def name(self, node: Name) -> Value | None:
        """Return the value of a name: of an argument, an entry, a size or a constant."""
        name, span, context = node.name, node.span, self.here.context
        if (argument := context.arguments.get(name)) is not None:
            return self.load(name, span) if argument.is_tensor else self._scalar(argument, span)
        if name in self.entries:
            named = self.named(name)
            return named and replace(named, span=span)
        if name in context.sizes:
            return SizeOf(Name(name), ValueType("int", weak=True), span)
        if name in CONSTANTS:
            return number(CONSTANTS[name], span)
        self._unknown(name, span)
        return None

    def _unknown(self, name: str, span: Span) -> None:
        context = self.here.context
        if name in context.packs:
            self.here.refuse(
                codes.UNKNOWN_NAME, span, f"'{name}' is a run of dims, expected a value", "name a single dim"
            )
            return
        choices = [*context.arguments, *self.entries, *context.sizes, *CONSTANTS]
        remedy = _OTHER_NAMES.get(name) or did_you_mean(name, choices, codes.UNKNOWN_NAME.remedy)
        if name in FUNCTIONS or name in SPECIAL:
            remedy = f"'{name}' is a function: write `{name}(x)`"
        self.here.refuse(codes.UNKNOWN_NAME, span, f"there is no '{name}' here", remedy)

    def _scalar(self, argument: Argument, span: Span) -> Value | None:
        type_ = without_optional(argument.type)
        kind = _SCALARS.get(type_.name) if isinstance(type_, BaseType) else None
        if kind is None:
            message = f"'{argument.name}' is {kind_of(argument).value}, expected a tensor or a number"
            self.here.refuse(codes.UNKNOWN_NAME, span, message, "pass what the kernel needs as a tensor or a number")
            return None
        self._check_given(argument, span)
        return Scalar(argument.name, ValueType(kind, weak=True), argument.is_optional, span)

    def _check_given(self, argument: Argument, span: Span) -> None:
        name = argument.name
        if argument.is_optional and name not in self.here.context.known(self.here.given):
            remedy = f"write `… if given({name}) else …`"
            self.here.refuse(codes.OPTIONAL, span, f"'{name}' may be absent here", remedy)

    def load(self, name: str, span: Span, part: ke.Slice | None = None) -> Value | None:
        """Return the element of a tensor, or of a slice of it, at the current point."""
        argument = self.here.context.arguments.get(name)
        if argument is None or not argument.is_tensor:
            self._no_tensor(name, argument, span)
            return None
        self._check_given(argument, span)
        if argument.overwrites:
            message = f"'{name}' is a destination, whose contents mean nothing before the call"
            self.here.refuse(codes.MOVED, span, message, f"take '{name}' out of `overwrites`, or read another tensor")
            return None
        operand = self._operand(argument, span, part)
        held = self.here.context.types.of_argument(name)
        if operand is None:
            return None
        if held.value is None:
            names = "any dtype" if len(held.names) == len(DTYPES) else " or ".join(held.names)
            message = f"'{name}' holds {names}, which expressions can't compute with"
            self.here.refuse(codes.DTYPE, span, message)
            return None
        return Load(operand, held.value, span)

    def _no_tensor(self, name: str, argument: Argument | None, span: Span) -> None:
        tensors = [each.name for each in self.here.context.arguments.values() if each.is_tensor]
        what = "is no tensor argument" if argument is None else f"is {kind_of(argument).value}, expected a tensor"
        remedy = did_you_mean(name, tensors, "take a part of a tensor argument")
        self.here.refuse(codes.UNKNOWN_NAME, span, f"'{name}' {what}", remedy)

    def _operand(self, argument: Argument, span: Span, part: ke.Slice | None) -> Operand | None:
        name, here = argument.name, self.here
        shape = shape_of(name, here.context.entries.get(name), here.text.locate(span), here.report)
        if shape is None:
            return None
        operand: Operand | None = Operand(name, here.space.dims(shape), None, argument.is_optional)
        if part is not None and operand is not None:
            refuse = partial(here.refuse, codes.DIMS)
            operand = slice_of(part, shape, operand, here.context, here.space, refuse)
        if operand is None:
            return None
        for axis in repeated(operand.dims):
            message = f"'{name}' has the dim '{axis}' twice"
            here.refuse(codes.DIMS, span, message, "a diagonal is read by a kernel that is written by hand")
            return None
        here.space.order(operand.dims)
        return operand


def number(value: bool | float, span: Span) -> Number:  # noqa: FBT001 - a literal
    """Return the value of a literal."""
    kind: Kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
    return Number(value, ValueType(kind, weak=True), span)
