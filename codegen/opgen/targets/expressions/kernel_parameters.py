"""The parameters of an expression's GPU kernel beside its tensors, in CUDA and Triton alike."""

from __future__ import annotations

from dataclasses import field

from opgen.model.compute.nodes import Scalar
from opgen.records import dataclass
from opgen.spec.expression import Expression


@dataclass
class KernelParameters:
    """The parameters that the body of a kernel mentions; each gets its name when it is first mentioned.

    Attributes:
        sizes: size expression -> parameter.
        scalars: scalar argument -> its node in the program.
        given: optional argument -> the flag that says whether it was given.
        widths: (tensors, dtypes) -> the bit width of their promoted integer dtype.
        types: (tensors, dtypes, may be an integer) -> the type that is computed in.
    """

    sizes: dict[Expression, str] = field(default_factory=dict)
    scalars: dict[str, Scalar] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    widths: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = field(default_factory=dict)
    types: dict[tuple[tuple[str, ...], tuple[str, ...], bool], str] = field(default_factory=dict)
