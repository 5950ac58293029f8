"""Decides the elements of sample tensors by the contract: with a random index a kernel would read wild memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from opgen.model.evaluate_expression import Environment, evaluate_expression
from opgen.model.op import Op
from opgen.model.sample_values import Elements, SampleValue, TensorValue
from opgen.model.samples.situation import truth
from opgen.model.tensors import CheckValues
from opgen.spec.dtypes import item_size
from opgen.spec.tensor_spec import ValueOffsets, ValuePermutation, ValueRange, Values

_LARGEST_EXACT = 2**8
"""All integers up to this are exact in bfloat16, which has the fewest digits of the dtypes beside float8."""


def with_elements(op: Op, arguments: dict[str, SampleValue], environment: Environment) -> dict[str, SampleValue] | None:
    """Return the arguments with the element properties that the contract requires; ``None`` if none can exist."""
    filled = dict(arguments)
    facts = {**op.tensors.values, **dict(_by_condition(op, environment))}
    for name in facts.keys() & arguments.keys():  # the others are outputs
        value = arguments[name]
        tensors = value if isinstance(value, tuple) else (value,)
        found = [_filled(tensor, facts[name], environment) for tensor in tensors]
        if None in found and None not in tensors:
            return None
        filled[name] = tuple(found) if isinstance(value, tuple) else found[0]
    return filled


def _by_condition(op: Op, environment: Environment) -> Iterator[tuple[str, Values]]:
    """Yield the required properties of elements in the branches that a call takes, by tensor."""
    for step in op.tensors.steps:
        if isinstance(step.check, CheckValues) and step.when and all(truth(each, environment) for each in step.when):
            yield step.check.tensor, step.check.values


def holds_number(dtype: str, number: int) -> bool:
    """Whether a dtype can hold an integer exactly; samples only use integers that floating-point dtypes hold."""
    if dtype == "bool" or not dtype.lstrip("u").startswith("int"):
        return dtype != "bool" and number <= _LARGEST_EXACT
    bits = 8 * item_size(dtype)
    least, most = (0, 2**bits) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    return bool(least <= number < most)


def _filled(tensor: SampleValue, values: Values, environment: Environment) -> SampleValue:
    if not isinstance(tensor, TensorValue):
        return tensor
    if 0 in tensor.shape:  # offsets in an empty tensor can't rise to a number other than 0
        return None if isinstance(values, ValueOffsets) and evaluate_expression(values.total, environment) else tensor
    match values:
        case ValueRange():
            low, high = (evaluate_expression(limit, environment) for limit in (values.low, values.high))
            return replace(tensor, elements=Elements(low=low, high=high)) if low < high else None
        case ValueOffsets(total):
            reach = evaluate_expression(total, environment)
            is_possible = reach == 0 or (reach > 0 and prod(tensor.shape) > 1)
            return replace(tensor, elements=Elements(offsets=reach)) if is_possible else None
        case ValuePermutation():
            return replace(tensor, elements=Elements(permutation=True))
