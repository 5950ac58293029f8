"""What the kernel of an expression is handed beside memory, on devices: in CUDA and in Triton alike."""

from __future__ import annotations

from dataclasses import field

from opgen.model.compute.nodes import Scalar
from opgen.records import dataclass
from opgen.spec.expression import Expression


@dataclass
class Members:
    """What is handed over, by what it is; each gets a name when it is first mentioned."""

    sizes: dict[Expression, str] = field(default_factory=dict)
    scalars: dict[str, Scalar] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    widths: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = field(default_factory=dict)
    types: dict[tuple[tuple[str, ...], tuple[str, ...], bool], str] = field(default_factory=dict)
    """The types that dtypes decide about; the last part of the key says whether they may be integers."""
