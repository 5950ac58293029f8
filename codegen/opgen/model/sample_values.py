"""Concrete argument values without data, on which plans are evaluated and of which samples consist.

They have every property that a tensor contract can mention, but need no torch, so that samples can be chosen, and
proved valid or invalid, while code is generated.
"""

from __future__ import annotations

from math import inf
from typing import TypeAlias

from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Elements:
    """The required properties of a tensor's elements; ``None`` or ``False`` where nothing is required.

    Attributes:
        low: the smallest value allowed, for ``in range(low, high)``.
        high: the exclusive upper bound of the values.
        offsets: elements rise from 0 to this number, for ``offsets(total)``.
        permutation: elements are 0, 1, ... in any order, each once.
    """

    low: int | None = None
    high: int | None = None
    offsets: int | None = None
    permutation: bool = False

    def limits(self, count: int) -> tuple[float, float]:
        """Return the inclusive lower and upper bound of the elements of a tensor with ``count`` elements."""
        if self.permutation:
            return 0, count - 1
        if self.offsets is not None:
            return 0, self.offsets
        return -inf if self.low is None else self.low, inf if self.high is None else self.high - 1


@dataclass(frozen=True, slots=True)
class TensorValue:
    """A tensor without its elements.

    Attributes:
        shape: the sizes, outermost first.
        dtype: torch's name without ``torch.``.
        strides: in elements, one for each dim; ``None`` for a contiguous tensor.
        device: a device type, perhaps with an index: ``cpu``, ``cuda:0``.
        offset: the number of elements between the start of the storage, which is aligned to 64 bytes, and the first
            one.
        elements: the properties of the elements; ``None`` for arbitrary ones.
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
