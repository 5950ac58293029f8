"""The entries of ``reduce``."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.compute import codes
from opgen.model.compute.entries import Entry
from opgen.model.compute.functions import FUNCTIONS, REDUCTIONS
from opgen.model.compute.names import Surroundings
from opgen.model.compute.nodes import Axis, Reduction, ReductionFunction, Value, ValueType
from opgen.model.compute.resolve import Refused, Resolver
from opgen.model.compute.space import Space
from opgen.model.compute.value_types import BOOL, INT64, as_float, summed
from opgen.model.compute.walk import axes_of
from opgen.model.tensor_contract.scope import did_you_mean
from opgen.source import Location
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Constant, Name
from opgen.spec.report import Report

_OTHERS = {"amax": "max", "amin": "min", "std": "var", "norm": "sum", "average": "mean", "softmax": "logsumexp"}
_FORM = "write `sum(value, n)`, `n` a dim of `tensors`"


class Reducer:
    """Resolves the reductions of one op, which all run along the same axes."""

    def __init__(
        self,
        around: Surroundings,
        space: Space,
        report: Report,
        resolver: Resolver,
        varies: Mapping[str, frozenset[str]],
    ) -> None:
        """Prepare; ``varies`` says along what entries vary that were resolved before."""
        self.reduced: frozenset[str] = frozenset()
        self._around = around
        self._space = space
        self._report = report
        self._resolver = resolver
        self._varies = varies
        self._first: Entry | None = None

    def reduction(self, entry: Entry) -> Reduction:
        """Resolve one.

        Raises:
            Refused: it is none; the report says why.
        """
        call, place = entry.expression, entry.text.locate(entry.expression.span)
        function: ReductionFunction | None = None
        if isinstance(call, ke.Call):
            function = next((name for name in REDUCTIONS if name == call.function), None)
        if not isinstance(call, ke.Call) or function is None:
            raise self._refuse(place, "expected one reduction", self._remedy(call))
        values, axes, correction = self._split(entry, call)
        if len(values) != 1:
            names = [each.name for each in values[1:] if isinstance(each, Name)]
            if names:
                place = entry.text.locate(next(each.span for each in values[1:] if isinstance(each, Name)))
                choices = [axis.name for axis in self._space.by_name.values()]
                remedy = did_you_mean(names[0], choices, "name a dim of `tensors`")
                self._report.add(codes.AXIS, f"there is no dim '{names[0]}'", place, remedy)
                raise Refused
            raise self._refuse(
                place, f"'{function}' takes one value and the names of dims, found {len(values)} values", _FORM
            )
        value = self._resolver.resolve(values[0], entry.text)
        self._check_axes(entry, call, axes, value)
        return Reduction(entry.name, function, value, self._type(function, value, entry), correction)

    def _remedy(self, written: ke.Written) -> str:
        if isinstance(written, ke.Call) and written.function in _OTHERS:
            return f"write `{_OTHERS[written.function]}`"
        if isinstance(written, ke.Call) and written.function not in FUNCTIONS:
            return did_you_mean(written.function, REDUCTIONS, _FORM)
        return f"{_FORM}; what isn't one belongs under `pointwise`"

    def _split(self, entry: Entry, call: ke.Call) -> tuple[list[ke.Written], dict[str, Axis], int]:
        """Return the values, the axes and the correction that a reduction is given."""
        values: list[ke.Written] = []
        axes: dict[str, Axis] = {}
        correction = 1
        for argument in call.arguments:
            match argument:
                case ke.Keyword("correction", Constant(int() as value)) if call.function == "var":
                    correction = value
                case ke.Keyword(name, _, span):
                    is_dim = name in ("dim", "axis", "keepdim", "keepdims")
                    remedy = "name the dim, `sum(x, n)`" if is_dim else "only `var` has one, `correction=0`"
                    self._refuse(entry.text.locate(span), f"'{call.function}' has no '{name}='", remedy)
                case ke.Pack(name, span):
                    axis = self._space.along(name, is_pack=True)
                    if axis is None:
                        self._unknown(entry.text.locate(span), f"*{name}")
                    else:
                        axes[axis.name] = axis
                case Name(name) if values and (axis := self._space.along(name)) is not None:
                    axes[axis.name] = axis
                case _:
                    values.append(argument)
        if not axes:
            dims = ", ".join(axis.name for axis in self._space.by_name.values())
            help_ = f"name the dims that it runs along, `{call.function}(x, n)`; there are {dims}" if dims else _FORM
            raise self._refuse(entry.text.locate(call.span), f"'{call.function}' runs along no dim", help_)
        return values, axes, correction

    def _check_axes(self, entry: Entry, call: ke.Call, axes: Mapping[str, Axis], value: Value) -> None:
        names = frozenset(axes)
        place = entry.text.locate(call.span)
        if self._first is None:
            self._first, self.reduced = entry, names
        if names != self.reduced:
            message = (
                f"'{entry.name}' runs along {_listed(names)}, and '{self._first.name}' along {_listed(self.reduced)}"
            )
            raise self._refuse(place, message, "reduce along the same dims, or in an op of its own")
        flat = [axis for axis in axes.values() if axis.is_pack or len(axes) > 1]
        if call.function in ("argmax", "argmin") and flat:
            raise self._refuse(place, f"'{call.function}' gives a place along one dim", "name one dim that is no run")
        if broadcast := next((axis for axis in axes.values() if axis.packs), None):
            message = f"'*{broadcast.packs[0]}' is broadcast with others"
            raise self._refuse(place, message, "reduce along dims that all tensors have")
        if lacking := sorted(names - axes_of(value, self._varies)):
            message = f"the value of '{call.function}' is the same all along '{lacking[0]}'"
            self._report.add(codes.AXIS, message, place, "reduce what varies along it")
            raise Refused

    def _type(self, function: ReductionFunction, value: Value, entry: Entry) -> ValueType:
        is_test = function in ("any", "all")
        kind = value.type.kind
        if is_test != (kind == "bool") and not (function in ("sum", "mean") and kind == "bool"):
            what = "truth values" if is_test else "numbers"
            found = "a truth value" if kind == "bool" else "a number"
            message = f"'{function}' takes {what}, found {found}"
            self._report.add(codes.KIND, message, entry.text.locate(value.span))
            raise Refused
        if is_test:
            return BOOL
        if function in ("argmax", "argmin"):
            return INT64
        if function in ("sum", "prod"):
            return summed(value.type)
        return value.type if function in ("max", "min") else as_float(summed_as_is(value.type))

    def _unknown(self, place: Location, name: str) -> None:
        choices = [axis.name for axis in self._space.by_name.values()]
        self._report.add(codes.AXIS, f"there are no dims '{name}'", place, did_you_mean(name.lstrip("*"), choices, ""))

    def _refuse(self, place: Location, message: str, remedy: str) -> Refused:
        self._report.add(codes.REDUCTION, message, place, remedy)
        return Refused()


def _listed(names: frozenset[str]) -> str:
    return " and ".join(f"'{name}'" for name in sorted(names))


def summed_as_is(type_: ValueType) -> ValueType:
    """Return the type of a mean of values: what is weak is so no more."""
    return ValueType(type_.kind, type_.tensors, type_.dtypes)
