"""Sorts the kernels of an op: those that ``dispatch`` can express, and those for a note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.readers.registrations import Definition, Function, Implementation
from opgen.records import dataclass
from opgen.rules.registrations.joined import JoinedOp
from opgen.source import Location
from opgen.spec.library import KernelKind

_COMPOSITE = "CompositeImplicitAutograd"
_COMPILED: Mapping[str, KernelKind] = {"CPU": "cpp", "CUDA": "cuda", "CompositeExplicitAutograd": "cpp"}
_INTERPRETED = frozenset({*_COMPILED, _COMPOSITE})
_GRADIENT = ("Autograd", "ADInplaceOrView")
_FAKE = "Meta"


@dataclass(frozen=True, slots=True)
class Kernels:
    """The kernels of one op.

    Attributes:
        dispatch: dispatch key -> the language of its kernel, for kernels that can be declared.
        elsewhere: the other dispatch keys, each with the location of its kernel.
        composite: the location of a C++ function that is registered for every backend at once; ``None`` without one.
    """

    dispatch: Mapping[str, KernelKind]
    elsewhere: tuple[tuple[str, Location], ...]
    composite: Location | None = None


def kernels_of(op: JoinedOp, definition: Definition) -> Kernels:
    """Sort the kernels that were registered for an op."""
    dispatch: dict[str, KernelKind] = {}
    elsewhere: dict[str, Location] = {}
    composite: Location | None = None
    for key, function, language, place in _registered(op, definition):
        if language == "python" and key in _INTERPRETED:
            dispatch.setdefault(key, "python")
        elif key in _COMPILED:
            dispatch.setdefault(key, _COMPILED[key])
        elif key == _COMPOSITE:
            composite = composite or place
            if language == "cpp":
                backend = "CUDA" if _is_cuda(function) else "CPU"
                dispatch.setdefault(backend, _COMPILED[backend])
        elif key != _FAKE and not key.startswith(_GRADIENT):
            elsewhere.setdefault(key, place)
    ordered = {key: dispatch[key] for key in (*_COMPILED, _COMPOSITE) if key in dispatch}
    return Kernels(ordered, tuple(elsewhere.items()), composite)


def gradients_of(op: JoinedOp) -> Iterator[Implementation]:
    """Yield the autograd kernels and gradient formulas of an op."""
    for made in op.implementations:
        if made.role == "autograd" or (made.role == "kernel" and any(key.startswith(_GRADIENT) for key in made.keys)):
            yield made


def fakes_of(op: JoinedOp) -> Iterator[Implementation]:
    """Yield the fake kernels of an op."""
    return (
        made for made in op.implementations if made.role == "fake" or (made.role == "kernel" and _FAKE in made.keys)
    )


def _registered(op: JoinedOp, definition: Definition) -> Iterator[tuple[str, Function | None, str, Location]]:
    made = [one for one in op.implementations if one.role == "kernel" and not one.fallthrough]
    for one in made:
        yield from ((key, one.function, one.language, one.location) for key in one.keys)
    if definition.function is not None and definition.language == "cpp":
        yield _COMPOSITE, definition.function, "cpp", definition.location
    elif definition.form in {"custom_op", "triton_op"} and not any(one.form == definition.form for one in made):
        yield "CompositeExplicitAutograd", definition.function, "python", definition.location


def _is_cuda(function: Function | None) -> bool:
    return function is not None and function.location.source.path.endswith((".cu", ".cuh"))
