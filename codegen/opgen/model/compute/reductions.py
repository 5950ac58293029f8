"""Resolves the entries of ``reduce``."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.compute import codes
from opgen.model.compute.entries import Entry
from opgen.model.compute.functions import FUNCTIONS, REDUCTIONS
from opgen.model.compute.nodes import Axis, Reduction, ReductionFunction, Value, ValueType
from opgen.model.compute.resolve import Resolver
from opgen.model.compute.space import Space
from opgen.model.compute.value_types import BOOL, INT64, as_float, strong, summed
from opgen.model.compute.walk import axes_of
from opgen.model.tensor_contract.scope import did_you_mean
from opgen.records import dataclass
from opgen.source import Location
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Constant, Name
from opgen.spec.report import Report

_OTHERS = {"amax": "max", "amin": "min", "std": "var", "average": "mean", "count": "sum"}
"""Names of reductions in other libraries, for the remedy in a diagnostic."""
_FORM = "write `sum(value, n)`, `n` a dim of `tensors`"


@dataclass(frozen=True, slots=True)
class _Written:
    """The arguments of a reduction by kind: ``var(x, n, correction=0)``.

    Attributes:
        values: the values to reduce, ``x``; more or fewer than one is a mistake.
        axes: the dims to reduce along, ``n``, by name.
        correction: the number that ``var`` subtracts from the number of elements.
    """

    values: tuple[ke.Written, ...]
    axes: Mapping[str, Axis]
    correction: int


class Reducer:
    """Resolves the reductions of one op, which all run along the same axes.

    A method returns ``None`` after reporting why there is no reduction.
    """

    def __init__(self, space: Space, report: Report, resolver: Resolver, varies: Mapping[str, frozenset[str]]) -> None:
        """Prepare; ``varies`` holds the axes along which the entries resolved so far vary."""
        self.reduced: frozenset[str] = frozenset()
        self._space = space
        self._report = report
        self._resolver = resolver
        self._varies = varies
        self._first: Entry | None = None

    def reduction(self, entry: Entry) -> Reduction | None:
        """Resolve one entry."""
        call = entry.expression
        function = next((name for name in REDUCTIONS if isinstance(call, ke.Call) and name == call.function), None)
        if not isinstance(call, ke.Call) or function is None:
            self._refuse(entry.text.locate(call.span), "expected one reduction", _remedy(call))
            return None
        written = self._arguments(entry, call)
        value = self._value(entry, function, written)
        if value is None or not self._runs_well(entry, function, written, value):
            return None
        type_ = self._type(function, value, entry)
        return None if type_ is None else Reduction(entry.name, function, value, type_, written.correction)

    def _arguments(self, entry: Entry, call: ke.Call) -> _Written:
        """Sort the arguments: one that is no name of a dim is a value."""
        values: list[ke.Written] = []
        axes: dict[str, Axis] = {}
        correction = 1
        for argument in call.arguments:
            match argument:
                case ke.Keyword("correction", Constant(int() as value)) if call.function == "var":
                    correction = value
                case ke.Keyword(name, _, span):
                    is_dim = name in ("dim", "axis", "dims", "keepdim", "keepdims")
                    remedy = "name the dim, `sum(x, n)`" if is_dim else "only `var` has one, `correction=0`"
                    self._refuse(entry.text.locate(span), f"'{call.function}' has no '{name}='", remedy)
                case ke.Pack(name, span):
                    if (pack := self._space.along(name, is_pack=True)) is not None:
                        axes[pack.name] = pack
                    else:
                        self._unknown(entry.text.locate(span), f"*{name}")
                case Name(name) if values and (axis := self._space.along(name)) is not None:
                    axes[axis.name] = axis
                case _:
                    values.append(argument)
        return _Written(tuple(values), axes, correction)

    def _value(self, entry: Entry, function: str, written: _Written) -> Value | None:
        """Return the value to reduce."""
        if not written.values:
            message = f"'{function}' takes a value and the names of dims"
            self._refuse(entry.text.locate(entry.expression.span), message, _FORM)
            return None
        first, *others = written.values
        value = self._resolver.resolve(first, entry.text)
        for other in others:
            if isinstance(other, Name):
                self._unknown(entry.text.locate(other.span), other.name)
            else:
                message = f"'{function}' takes one value and the names of dims"
                self._refuse(entry.text.locate(other.span), message, _FORM)
        return None if others else value

    def _runs_well(self, entry: Entry, function: ReductionFunction, written: _Written, value: Value) -> bool:
        """Whether the reduction can run along its axes; else it is reported."""
        axes, place = written.axes, entry.text.locate(entry.expression.span)
        names = frozenset(axes)
        if not names:
            dims = ", ".join(axis.name for axis in self._space.by_name.values())
            remedy = f"name the dims, `{function}(x, n)`; here are {dims}" if dims else _FORM
            return self._refuse(place, f"'{function}' runs along no dim", remedy)
        if self._first is None:
            self._first, self.reduced = entry, names
        if names != self.reduced:
            message = (
                f"'{entry.name}' runs along {_listed(names)}, and '{self._first.name}' along {_listed(self.reduced)}"
            )
            return self._refuse(place, message, "reduce along the same dims, or in an op of its own")
        if function in ("argmax", "argmin") and (len(axes) > 1 or any(axis.is_pack for axis in axes.values())):
            return self._refuse(place, f"'{function}' gives a place along one dim", "name one dim that is no run")
        if broadcast := next((axis for axis in axes.values() if axis.packs), None):
            message = f"'*{broadcast.packs[0]}' is broadcast with others"
            return self._refuse(place, message, "reduce along dims that all tensors have")
        if lacking := sorted(names - axes_of(value, self._varies)):
            message = f"the value of '{function}' is the same all along '{lacking[0]}'"
            self._report.add(codes.AXIS, message, place, "reduce what varies along it")
        return not lacking

    def _type(self, function: ReductionFunction, value: Value, entry: Entry) -> ValueType | None:
        is_test, is_of_tests = function in ("any", "all"), value.type.kind == "bool"
        if is_test != is_of_tests and not (is_of_tests and function in ("sum", "mean")):
            wanted, found = ("truth values", "a number") if is_test else ("numbers", "a truth value")
            message = f"'{function}' takes {wanted}, found {found}"
            self._report.add(codes.KIND, message, entry.text.locate(value.span))
            return None
        if is_test:
            return BOOL
        if function in ("argmax", "argmin"):
            return INT64
        if function in ("sum", "prod"):
            return summed(value.type)
        return strong(value.type if function in ("max", "min") else as_float(value.type))

    def _unknown(self, place: Location, name: str) -> None:
        choices = [axis.name for axis in self._space.by_name.values()]
        remedy = did_you_mean(name.lstrip("*"), choices, "name a dim of `tensors`")
        self._report.add(codes.AXIS, f"there is no dim '{name}'", place, remedy)

    def _refuse(self, place: Location, message: str, remedy: str) -> bool:
        self._report.add(codes.REDUCTION, message, place, remedy)
        return False


def _remedy(written: ke.Written) -> str:
    if isinstance(written, ke.Call) and written.function in _OTHERS:
        return f"write `{_OTHERS[written.function]}`"
    if isinstance(written, ke.Call) and written.function not in FUNCTIONS:
        return did_you_mean(written.function, REDUCTIONS, _FORM)
    return f"{_FORM}; what isn't one belongs under `pointwise`"


def _listed(names: frozenset[str]) -> str:
    return " and ".join(f"'{name}'" for name in sorted(names))
