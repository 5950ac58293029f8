"""The options that the samples of an op have to cover together, and the selection of options for one sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from opgen.model.op import Op
from opgen.model.sample_values import SampleValue
from opgen.model.samples.candidates import choices
from opgen.model.tensors import CheckDtype, CheckShapes, DtypeEither, DtypeLike, DtypeSet
from opgen.records import dataclass
from opgen.spec.dtypes import DTYPES
from opgen.spec.written import render_written

PROFILES = ("distinct", "deeper", "ones", "wide", "narrow", "empty")
"""Profiles of sizes: all different; also with packs of two dims; all 1 and packs without dims; rows of 37 elements and
more; rows of one element; with an empty dim.

They are combined with ``LAYOUTS`` in turn: wide rows are contiguous, for vectorised loops; narrow ones are transposed,
and so contiguous as well, though the stride of the last dim isn't 1.
"""

LAYOUTS = ("contiguous", "transposed", "strided")
"""Layouts of tensors whose strides the contract leaves open."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of the options of an axis.

    Attributes:
        axis: ``profile``, ``empty`` (the size that is 0 in the profile of this name), ``layout``, ``dtype``, ``given``
            (whether an optional argument is), ``value`` (of an argument that switches modes), ``shape`` (which of
            several alternatives) or ``holds`` (whether a condition of the tensor contract does).
        name: the argument, or the condition as written, that it belongs to; else empty.
        value: the option.
    """

    axis: str
    name: str
    value: SampleValue


PLAIN_SIZES = Option("profile", "", "distinct")
EMPTY_SIZES = Option("profile", "", "empty")


@dataclass(frozen=True)
class Selection:
    """One option on each axis.

    Attributes:
        options: (axis, name) -> value.
        start: the index into the primes at which sizes begin.
    """

    options: Mapping[tuple[str, str], SampleValue] = field(default_factory=dict)
    start: int = 0

    @staticmethod
    def of(options: Iterable[Option]) -> Selection:
        """Select these options."""
        return Selection({(option.axis, option.name): option.value for option in options})

    def get(self, axis: str, name: str = "") -> SampleValue:
        """Return the option on an axis, ``None`` if the op has no such axis."""
        return self.options.get((axis, name))

    def chosen(self, option: Option) -> Selection:
        """Return the selection with another option on one axis."""
        return replace(self, options={**self.options, (option.axis, option.name): option.value})

    def shows(self, option: Option) -> bool:
        """Whether a call with this selection covers an option; a mode is only covered if its argument is given."""
        is_given = option.axis != "value" or self.get("given", option.name) is not False
        return is_given and self.get(option.axis, option.name) == option.value


_REPRESENTATIVES = ("float32", "float16", "bfloat16", "float64", "int64", "int32", "uint8", "bool", "complex64")
"""The dtypes that are sampled for ``any``; of every other set all members are."""


def axes(op: Op) -> list[tuple[Option, ...]]:
    """Return the axes on which the samples of an op differ, each with its default option first."""
    found: list[tuple[Option, ...]] = []
    if any(argument.is_tensor or argument.is_tensor_list for argument in op.arguments):
        found.append(tuple(Option("profile", "", each) for each in PROFILES))
        found.append(tuple(Option("layout", "", each) for each in LAYOUTS))
    dtypes = {tensor: dict.fromkeys(_REPRESENTATIVES) for tensor in sorted(op.tensors.any_dtype)}
    for step in op.tensors.steps:
        match step.check:
            case CheckDtype(tensor, DtypeSet() | DtypeEither() as dtype):
                dtypes.setdefault(tensor, {}).update(dict.fromkeys(dtype_options(dtype)))
            case CheckShapes(tensor, shapes):
                found.append(tuple(Option("shape", tensor, place) for place in range(len(shapes))))
    found += [tuple(Option("dtype", tensor, dtype) for dtype in options) for tensor, options in dtypes.items()]
    for argument in op.arguments:
        if argument.is_optional:
            found.append(tuple(Option("given", argument.name, is_given) for is_given in (False, True)))
        found.append(tuple(Option("value", argument.name, value) for value in choices(op, argument)))
    return [axis for axis in found if len(axis) > 1]


def branches(op: Op) -> list[Option]:
    """Return the options that cover every case of the tensor contract."""
    return [Option("holds", render_written(each), holds) for each in op.case_conditions for holds in (True, False)]


def dtype_options(dtype: DtypeSet | DtypeEither) -> tuple[str, ...]:
    """Return the dtypes to sample, the most common first."""
    names = dtype.names
    if names == DTYPES:
        names = _REPRESENTATIVES
    names = tuple(sorted(names, key=lambda name: name != "float32"))
    return (*map(tied, dtype.ties), *names) if isinstance(dtype, DtypeEither) else names


def tied(tie: DtypeLike) -> str:
    """Return the dtype option that makes a tensor declared as ``x.dtype|fp8`` have the dtype of ``x``."""
    return f"{tie.tensor}.dtype"
