"""Values of an expression in Triton, over the functions of ``templates/triton/maths.py.j2``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from opgen.model.compute.nodes import ValueType
from opgen.records import dataclass
from opgen.spec.kernel_written import Tightness
from opgen.targets.expressions.device_values import SMALLEST, DeviceValues, Words
from opgen.targets.expressions.operators import PYTHON, Piece, joined, signed
from opgen.targets.triton.identifiers import given_name

_FUNCTION = {"//": "floor_divide", "%": "remainder", "**": "power", "<<": "shift_left", ">>": "shift_right"}
_NAMES = {"abs": "absolute", "pow": "power", "round": "nearest", "max": "most", "min": "least"}
"""Functions of the template that are renamed, since Python or Triton use the name for something else."""
_DTYPES = {
    "bool": "int1",
    "float8_e4m3fn": "float8e4nv",
    "float8_e4m3fnuz": "float8e4b8",
    "float8_e5m2": "float8e5",
    "float8_e5m2fnuz": "float8e5b16",
}


@dataclass(frozen=True)
class Values(DeviceValues):
    """Renders values in Triton."""

    WORDS = Words(
        operators=PYTHON,
        types={"bool": "tl.int1", "int": "tl.int64", "single": "tl.float32", "double": "tl.float64"},
        chosen=("ACC", "TYPE{}"),
        scalar="{}_scalar",
        size=("size{}", "{}_scalar"),
        given="full({}, tl.int1)",
        width="WIDTH{}",
        converted="convert({text}, {wanted})",
        wrapped="wrap({text}, {width})",
        of_bools={"+": "|", "*": "&", "&": "&", "|": "|", "^": "!=", "and": "&", "or": "|"},
        # The exponents that ATen special-cases too (`pow_tensor_scalar_optimized`,
        # aten/src/ATen/native/cpu/PowKernel.cpp): `power` of float64 is slow and less accurate.
        powers={2: "square", 3: "cube", 0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"},
    )

    def _number(self, value: bool | float, wanted: str) -> Piece:  # noqa: FBT001 - a literal may be a truth value
        if wanted == "tl.int1":
            text = str(int(bool(value)))
        elif wanted == "tl.int64":
            text = "-9223372036854775807 - 1" if value == SMALLEST else str(int(value))
        elif isinstance(value, float):
            text = repr(value) if math.isfinite(value) else f'float("{value}")'
        else:
            text = str(int(value))
        return f"full({text}, {wanted})", Tightness.ATOM

    def _has(self, argument: str) -> str:
        return given_name(argument)

    def _rounded(self, text: str, dtype: str, own: str) -> str:
        return f"convert(convert({text}, {triton_dtype(dtype)}), {own})"

    def _called(self, function: str, arguments: Sequence[str]) -> str:
        return f"{_NAMES.get(function, function)}({', '.join(arguments)})"

    def _unary(self, operator: str, operand: Piece, type_: ValueType) -> Piece:
        if operator == "not" or (operator == "~" and type_.kind == "bool"):
            return joined(PYTHON, "==", operand, ("0", Tightness.ATOM))
        return self._wrapped(signed(operator, operand), type_)

    def _operated(self, operator: str, operands: tuple[Piece, Piece], type_: ValueType) -> Piece:  # noqa: ARG002 - CUDA's depends on it
        if operator in _FUNCTION:
            return self._called(_FUNCTION[operator], [text for text, _ in operands]), Tightness.ATOM
        return joined(PYTHON, operator, *operands)

    def _choice(self, condition: Piece, then: Piece, otherwise: Piece) -> Piece:
        return f"tl.where({', '.join(text for text, _ in (condition, then, otherwise))})", Tightness.ATOM


def triton_dtype(name: str) -> str:
    """Return Triton's name of a dtype: ``tl.float16``."""
    return f"tl.{_DTYPES.get(name, name)}"
