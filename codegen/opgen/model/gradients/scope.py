"""The names that the formulas of one op can mention, and their meanings."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from functools import cached_property
from itertools import zip_longest

from opgen.model.gradients.dtypes import has_gradient
from opgen.model.gradients.nodes import AllGradients, ArgumentValue, Gradient, Mask, Meaning, OpCall, Result, SizeValue
from opgen.model.op import Op
from opgen.model.tensors import BindPack, BindSize, SolveSize
from opgen.records import dataclass
from opgen.schema.types import is_tensor_list

PLAIN = frozenset({"torch", *dir(builtins)})
"""Names that need no resolution: ``torch`` and Python's builtins."""


@dataclass(frozen=True)
class Scope:
    """The names of a functional op.

    Attributes:
        op: the op whose gradients the formulas give.
        callable_ops: the functional ops of the library, by the name of their function.
    """

    op: Op
    callable_ops: Mapping[str, Op]

    @cached_property
    def differentiable(self) -> tuple[bool, ...]:
        """For each return, whether it has a gradient: by ``output_differentiability``, else by its dtype."""
        allowed = [has_gradient(self.op, output) for output in self.op.outputs]
        flags = self.op.spec.output_differentiability
        if flags is None:
            return tuple(allowed)
        return tuple(may and flag for may, flag in zip_longest(allowed, flags[: len(allowed)], fillvalue=False))

    @cached_property
    def sizes(self) -> frozenset[str]:
        """The sizes that every call binds."""
        bound: dict[str, bool] = {}
        for step in self.op.tensors.steps:
            if isinstance(step.check, BindSize | BindPack | SolveSize):
                bound[step.check.name] = bound.get(step.check.name, True) and not (step.given or step.when)
        return frozenset(name for name, always in bound.items() if always)

    @property
    def returns_one_list(self) -> bool:
        """Whether the only return is a list of tensors: ``grads`` are then its gradients, as in PyTorch."""
        return len(self.op.outputs) == 1 and is_tensor_list(self.op.outputs[0].type)

    @cached_property
    def names(self) -> Mapping[str, Meaning]:
        """All names but those of ops, with their meanings; an argument hides other meanings of its name."""
        outputs = self.op.outputs
        names: dict[str, Meaning] = {name: SizeValue(name) for name in sorted(self.sizes)}
        names |= {f"grad_{output.name}": Gradient(place) for place, output in enumerate(outputs)}
        names |= {"grads": Gradient(0) if self.returns_one_list else AllGradients(), "grad_input_mask": Mask()}
        places = [place for place, flag in enumerate(self.differentiable) if flag]
        if len(places) == 1 and not self.returns_one_list:
            names["grad"] = Gradient(places[0])
        names |= {f"result{place}": Result(place) for place in range(len(outputs))}
        if len(outputs) == 1:
            names["result"] = Result(0)
        names |= {output.name: Result(place) for place, output in enumerate(outputs)}
        names |= {name: ArgumentValue(name) for name in self.op.argument}
        return names

    def meaning(self, name: str, *, is_called: bool) -> Meaning | None:
        """Return the meaning of a name; ``None`` if it has none in the formulas of this op."""
        known = self.names.get(name)
        if known is None and is_called and name in self.callable_ops:
            return OpCall(self.callable_ops[name].qualified_name)
        return known

    @property
    def choices(self) -> list[str]:
        """The names to suggest for a misspelled one, the likeliest first."""
        return [*self.op.argument, *self.names, *self.callable_ops, "torch"]

    def explain(self, name: str) -> str | None:
        """Return why a name known from ``derivatives.yaml`` can't be used here; ``None`` for any other name."""
        count = len(self.op.outputs)
        if name == "grad" and self.returns_one_list and self.differentiable[0]:
            return "`grad` is the gradient of one tensor, and the op returns a list: `grads` is a list of theirs"
        if name == "grad" and sum(self.differentiable) > 1:
            return f"`grad` is the gradient of one return, and {sum(self.differentiable)} have one"
        if name == "grad":
            return "`grad` is the gradient of a return, and none has one"
        if name == "result" and count > 1:
            return f"`result` is one result, and the op returns {count}"
        if re.fullmatch(r"result\d+", name):
            return f"there is no `{name}`: the op returns {count} value{'' if count == 1 else 's'}"
        return None
