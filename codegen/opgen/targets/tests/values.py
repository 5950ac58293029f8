"""Writes values of sample inputs as Python expressions."""

from __future__ import annotations

from opgen.model.sample_values import DeviceValue, DtypeValue, Elements, FormatValue, SampleValue, TensorValue
from opgen.targets.python.layout import py_number, py_string


def value_text(value: SampleValue) -> str:  # noqa: PLR0911 - one case a kind of value
    """Return the expression for a value; tensors are calls of ``tensor``, which the generated tests define."""
    match value:
        case TensorValue():
            return _tensor(value)
        case DtypeValue(name) | FormatValue(name):
            return f"torch.{name}"
        case DeviceValue(name):
            return f"torch.device({py_string(name)})"
        case str():
            return py_string(value)
        case tuple():
            return f"[{', '.join(map(value_text, value))}]"
        case float() | complex():
            return py_number(value)
    return repr(value)


def _tensor(value: TensorValue) -> str:
    parts = [py_string(value.dtype), *map(str, value.shape)]
    if value.strides is not None:
        strides = ", ".join(map(str, value.strides))
        parts.append(f"strides=({strides},)" if len(value.strides) == 1 else f"strides=({strides})")
    if value.offset:
        parts.append(f"offset={value.offset}")
    if value.device != "cpu":
        parts.append(f"device={py_string(value.device)}")
    if value.elements is not None:
        parts.append(_elements(value.elements))
    return f"tensor({', '.join(parts)})"


def _elements(elements: Elements) -> str:
    if elements.permutation:
        return "permutation=True"
    return f"within=({elements.low}, {elements.high})" if elements.offsets is None else f"offsets={elements.offsets}"
