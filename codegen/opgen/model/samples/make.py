"""Makes all samples of an op."""

from __future__ import annotations

from opgen.model.op import Op
from opgen.model.samples.call import Failure, make_call, unmade_arguments
from opgen.model.samples.sample import Sample, Samples
from opgen.model.samples.selection import Selection, axes
from opgen.model.samples.valid import valid_samples
from opgen.model.samples.wrong import wrong_samples
from opgen.schema.printer import print_type


def make_samples(op: Op) -> Samples:
    """Make the samples of an op; they are the same on every run, Python version and machine.

    Not needed for an op with ``tests: {samples: ...}``, whose author supplies the samples.
    """
    unmade = unmade_arguments(op)
    if unmade:
        listed = ", ".join(f"'{argument.name}' of type {print_type(argument.type)}" for argument in unmade)
        return Samples(problem=f"no value can be made for {listed}")
    valid, failure, unvisited = valid_samples(op)
    if failure is not None:
        return Samples(problem=f"no call was found that satisfies {failure.condition}")
    return Samples(valid, tuple(wrong_samples(op, valid)), unvisited=unvisited)


def dynamic_samples(op: Op, count: int = 3) -> tuple[Sample, ...]:
    """Return up to ``count`` calls that differ in sizes alone, for tests of dynamic shapes.

    Each size that the conditions leave free differs in every call, and none is 0 or 1, for which PyTorch specialises.
    """
    default = Selection.of(axis[0] for axis in axes(op))
    found: list[Sample] = []
    for start in range(count):
        call = make_call(op, Selection(default.options, start=start))
        if not isinstance(call, Failure) and all(call != sample.arguments for sample in found):
            found.append(Sample(f"sizes-{start}", call))
    return tuple(found)
