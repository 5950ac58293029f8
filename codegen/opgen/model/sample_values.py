"""Concrete argument values without data: what a plan is evaluated on, and what samples are made of.

They hold everything that a tensor contract can speak about and import no torch, so that samples can be chosen, and
proven valid or invalid, while code is generated.
"""

from __future__ import annotations

from math import inf
from typing import TypeAlias

from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Elements:
    """What the elements of a tensor have to be like.

    Attributes:
        low: none is below, for ``in range(low, high)``.
        high: every one is below.
        offsets: they rise from 0 to this number, for ``offsets(total)``.
        permutation: each of 0, 1, ... once.
    """

    low: int | None = None
    high: int | None = None
    offsets: int | None = None
    permutation: bool = False

    def limits(self, count: int) -> tuple[float, float]:
        """Return what none of ``count`` elements is below and above."""
        if self.permutation:
            return 0, count - 1
        if self.offsets is not None:
            return 0, self.offsets
        return -inf if self.low is None else self.low, inf if self.high is None else self.high - 1


@dataclass(frozen=True, slots=True)
class TensorValue:
    """A tensor without its elements.

    Attributes:
        shape: sizes, outermost first.
        dtype: torch's name without ``torch.``.
        strides: in elements, one a dim; ``None`` for a contiguous tensor.
        device: a device type, perhaps with an index: ``cpu``, ``cuda:0``.
        offset: elements between the start of the storage, which is aligned to 64 bytes, and the first element.
        elements: what is known about the elements; ``None`` for any.
    """

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...] | None = None
    device: str = "cpu"
    offset: int = 0
    elements: Elements | None = None


@dataclass(frozen=True, slots=True)
class DtypeValue:
    """A dtype, ``float32``: the value of a ``ScalarType`` argument."""

    name: str


@dataclass(frozen=True, slots=True)
class FormatValue:
    """``strided`` or ``contiguous_format``: the value of a ``Layout`` or ``MemoryFormat`` argument."""

    name: str


@dataclass(frozen=True, slots=True)
class DeviceValue:
    """A device, ``cpu`` or ``cuda:0``: the value of a ``Device`` argument."""

    name: str


SampleValue: TypeAlias = (
    "TensorValue | DtypeValue | FormatValue | DeviceValue | int | float | complex | bool | str"
    " | tuple[SampleValue, ...] | None"
)
