"""Resolves devices: all tensors are on one device, unless an entry says otherwise (``on cpu``, ``on x``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Entry
from opgen.model.tensor_contract.scope import MOST_COMPARED, Kind, Scope, did_you_mean, has_gaps, kind_of
from opgen.model.tensors import Check, CheckDevice, CheckDeviceAmong, CheckNamedDevice, Step
from opgen.records import dataclass
from opgen.spec.report import Report
from opgen.spec.tensor_spec import DeviceSpec

DEVICE_TYPES = frozenset({"cpu", "cuda", "hpu", "mps", "mtia", "privateuseone", "xla", "xpu"})
"""The device types that may be written. Source: ``c10/core/DeviceType.cpp``.

``meta`` is left out, since a check for it would refuse fake tensors.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """The device that an output is allocated on: the first of these that isn't ``None``, also in the call.

    Attributes:
        argument: an argument of type ``Device``.
        device_type: a fixed device type.
        tensor: a tensor whose device is used.
    """

    argument: str | None = None
    device_type: str | None = None
    tensor: str | None = None


@dataclass(frozen=True)
class Devices:
    """Resolves the devices of one op."""

    scope: Scope
    report: Report
    inputs: Sequence[Entry]

    def steps(self) -> Iterator[Step]:
        """Yield the checks; tensors without ``on`` are compared with the first of them that isn't optional."""
        group = [entry for entry in self.inputs if entry.spec.device is None]
        anchor = next(iter(_by_fitness(group)), None)
        is_required = anchor is not None and not anchor.needs
        for place, entry in enumerate(group):
            if entry.each and not entry.has_gaps and (entry is anchor or not is_required):
                yield Step(CheckDevice(entry.tensor, entry.tensor), entry.given, each=True)
            for other in [anchor] if anchor is not None and is_required else group[: min(place, MOST_COMPARED)]:
                if other is not entry and not other.has_gaps:
                    given = tuple(sorted(entry.given + other.given))
                    yield Step(CheckDevice(entry.tensor, other.tensor), given, entry.each)
        for entry in self.inputs:
            if entry.spec.device is not None:
                yield from self._stated(entry, entry.spec.device)

    def _stated(self, entry: Entry, device: DeviceSpec) -> Iterator[Step]:
        if device.names == ("any",):
            return
        if len(device.names) > 1 and device.joined_by == "|":
            kinds = [(name, self._known_kind(name, entry, device)) for name in device.names]
            if all(kind is not None for _, kind in kinds):
                likes, types = (
                    tuple(name for name, kind in kinds if kind == wanted) for wanted in ("tensor", "device_type")
                )
                yield Step(CheckDeviceAmong(entry.tensor, likes, types), entry.given, entry.each)
            return
        target = self._target(entry, device)
        if target is None:
            return
        check: Check = CheckDevice(entry.tensor, target.tensor, target.device_type)
        needed = [target.tensor]
        if target.argument is not None:
            written = entry.written(device.span).removeprefix("on ")
            check = CheckNamedDevice(entry.tensor, target.argument, target.tensor, target.device_type, written)
            needed = [target.tensor, target.argument if len(device.names) == 1 else None]
        optional = {name for name in needed if name is not None and self.scope.arguments[name].is_optional}
        yield Step(check, tuple(sorted(optional.union(entry.given))), entry.each)

    def of_output(self, entry: Entry) -> Target:
        """Return an output's device: by default that of the tensors, else that of the only ``Device`` argument."""
        device = entry.spec.device
        if device is not None and device.names != ("any",):
            if device.joined_by == "|" and len(device.names) > 1:
                message = f"'{entry.key}': an output is on one device, found '{entry.written(device.span)}'"
                self.report.add(codes.DEVICE, message, entry.place(device.span), "name one of them")
                return Target()
            return self._target(entry, device) or Target()
        return self._usual

    @cached_property
    def _usual(self) -> Target:
        """Where an output is made whose entry names no device."""
        group = [each.tensor for each in _by_fitness(self.inputs) if each.spec.device is None]
        tensors = [*group, *self.scope.of_kind(Kind.TENSOR), *self.scope.of_kind(Kind.TENSORS)]
        for name in tensors:
            argument = self.scope.arguments[name]
            if not argument.is_optional and not has_gaps(argument):
                return Target(tensor=name)
        named = self.scope.of_kind(Kind.DEVICE)
        return Target(argument=named[0]) if len(named) == 1 else Target()

    def _target(self, entry: Entry, device: DeviceSpec) -> Target | None:
        """Read ``on device``, ``on x``, ``on cpu``, or ``on device or x`` with an argument of type ``Device?``."""
        found: dict[str, str] = {}
        for name in device.names:
            kind = self._known_kind(name, entry, device)
            if kind is None:
                return None
            if found and (len(found) > 1 or "argument" not in found or kind == "argument"):
                message = f"'{entry.key}': expected an argument of type Device? before 'or', found '{device.names[0]}'"
                help_ = f"write `on {'|'.join(device.names)}` where either is right"
                self.report.add(codes.DEVICE, message, entry.place(device.span), help_)
                return None
            found[kind] = name
        return Target(**found)

    def _known_kind(self, name: str, entry: Entry, device: DeviceSpec) -> str | None:
        """Return the kind of a name after ``on``; ``None`` after reporting that it has no device."""
        kind = self._kind(name, entry)
        is_choice = len(device.names) > 1 and device.joined_by == "|"
        if kind is None or (kind == "argument" and is_choice):
            argument = self.scope.arguments.get(name)
            known = [*DEVICE_TYPES, *(each for each in self.scope.arguments if self._kind(each, entry))]
            remedy = did_you_mean(name, known, codes.DEVICE.remedy)
            what = f"'{name}' is no device" if argument is None else f"'{name}' is {kind_of(argument).value}"
            if kind == "argument":
                remedy = f"write `on {name} or cpu`: its value, or cpu where it is None"
                what += ", expected tensors and types of device around '|'"
            self.report.add(codes.DEVICE, f"'{entry.key}': {what}", entry.place(device.span), remedy)
            return None
        return kind

    def _kind(self, name: str, entry: Entry) -> str | None:
        argument = self.scope.arguments.get(name)
        kind = kind_of(argument) if argument is not None else None
        if kind is Kind.DEVICE:
            return "argument"
        if kind in (Kind.TENSOR, Kind.TENSORS) and name != entry.tensor:
            return "tensor"
        return "device_type" if name in DEVICE_TYPES else None


def _by_fitness(entries: Sequence[Entry]) -> list[Entry]:
    """Sort by fitness for being compared with: tensors that are not optional, no list, no destination come first."""
    return sorted(entries, key=lambda entry: (entry.has_gaps, bool(entry.needs), entry.each, entry.is_result))
