"""The variables in an op's autograd function, and the positions of its arguments in ``forward``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from opgen.model.gradients import (
    AllGradients,
    ArgumentValue,
    Fact,
    Formula,
    FunctionCall,
    Gradient,
    Gradients,
    Mask,
    Meaning,
    OpCall,
    Result,
    SizeValue,
)
from opgen.model.gradients.nodes import Saved
from opgen.model.op import Argument, Op
from opgen.records import dataclass
from opgen.schema.types import is_tensor_list
from opgen.targets.expressions import Names
from opgen.targets.names import python_name
from opgen.targets.python.expression_text import expression_text
from opgen.targets.python.layout import py_string

_OWN = ("ctx", "keyset", "needs", "counts", "tensors", "flat")
"""Variables that every autograd function has, beside those for arguments, results and gradients."""


@dataclass(frozen=True)
class Recording:
    """A functional op as an autograd function records it.

    ``forward`` takes the key set, the single arguments, and for lists of tensors first their lengths and then all their
    tensors, since autograd only sees tensors that are arguments themselves.

    Attributes:
        op: the op.
        gradients: its formulas.
        bindings: qualified name -> module variable of each op of the library, for calls in formulas.
    """

    op: Op
    gradients: Gradients
    bindings: Mapping[str, str]

    @cached_property
    def names(self) -> Names:
        """The names of arguments and sizes."""
        return Names.of(self.op, python_name)

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """The variables by their meaning: ``argument x``, ``grad 0``, ``result 0``, ``needs`` and so on."""
        wanted = {f"argument {name}": python_name(name) for name in self.op.argument}
        wanted |= {f"{SizeValue(name)}": self.names.value(name) for name in self.names.sizes}
        wanted |= {f"result {place}": self._result_name(place) for place in range(len(self.op.outputs))}
        wanted |= {f"grad {place}": self._grad_name(place) for place in range(len(self.op.outputs))}
        wanted |= {own: own for own in _OWN}
        for saved in self.gradients.saved:
            if isinstance(saved, Fact):
                wanted[f"{saved}"] = _slug(saved.template.format(saved.argument))
        for name in self.asked:
            wanted[f"gradient of {name}"] = f"grad_{name}"
            wanted[f"needs of {name}"] = f"needs_{name}"
        return _distinct(wanted)

    def _result_name(self, place: int) -> str:
        return "result" if len(self.op.outputs) == 1 else python_name(self.op.outputs[place].name)

    def _grad_name(self, place: int) -> str:
        if len(self.op.outputs) > 1:
            return f"grad_{self.op.outputs[place].name}"
        return "grads" if self.returns_lists else "grad"

    # --- arguments ----------------------------------------------------------------------------------------------------
    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The arguments that may require a gradient, in schema order: with a formula, or with ``not_implemented``."""
        names = {*self.gradients.arguments, *self.gradients.not_implemented}
        return tuple(name for name in self.op.argument if name in names)

    @cached_property
    def lists(self) -> tuple[Argument, ...]:
        """The arguments among ``asked`` that are lists of tensors."""
        return tuple(self.op.argument[name] for name in self.asked if self.op.argument[name].is_tensor_list)

    @cached_property
    def singles(self) -> tuple[Argument, ...]:
        """All other arguments, in the order of ``forward``."""
        return tuple(argument for argument in self.op.arguments if argument not in self.lists)

    @property
    def keeps_lists(self) -> bool:
        """Whether lists of tensors are saved for ``backward``."""
        return any(map(self._is_list, self.gradients.saved))

    def _is_list(self, saved: Saved) -> bool:
        match saved:
            case ArgumentValue(name):
                return self.op.argument[name].is_tensor_list
            case Result(place):
                return is_tensor_list(self.op.outputs[place].type)
        return False

    @property
    def returns_lists(self) -> bool:
        """Whether a list of tensors is returned; ``forward`` then returns its tensors one by one, as autograd asks."""
        return any(is_tensor_list(output.type) for output in self.op.outputs)

    @property
    def first_of_lists(self) -> int:
        """The position in ``forward`` of the first tensor of a list: after key set, single arguments and lengths."""
        return len(self.singles) + 2

    def variable(self, argument: str) -> str:
        """Return the variable of an argument."""
        return self.variables[f"argument {argument}"]

    def needs(self, argument: str) -> str:
        """Return the expression for whether the gradient of an argument is needed."""
        if self.op.argument[argument] in self.lists:
            needed = self.variables[f"needs of {argument}"]
            return f"any({needed} or ())" if self.op.argument[argument].is_optional else f"any({needed})"
        place = 1 + [single.name for single in self.singles].index(argument)
        return f"{self.variables['needs']}[{place}]"

    def needs_any(self, arguments: Iterable[str]) -> str:
        """Return the expression for whether one of several gradients is needed."""
        return " or ".join(map(self.needs, arguments))

    # --- formulas -----------------------------------------------------------------------------------------------------
    def text(self, formula: Formula) -> str:
        """Return a formula as a Python expression over these variables."""
        names = {key: self.meaning(meaning, formula) for key, meaning in formula.names.items()}
        return expression_text(formula.tree, names)

    def meaning(self, meaning: Meaning, formula: Formula) -> str:
        """Return the expression for what a name in a formula means."""
        match meaning:
            case ArgumentValue() | Fact() | Result() | SizeValue():
                return self.kept(meaning)
            case Gradient(place):
                return self.variables[f"grad {place}"]
            case AllGradients():
                return tuple_text(self.variables[f"grad {place}"] for place in range(len(self.op.outputs)))
            case Mask():
                return tuple_text(map(self.needs, formula.arguments))
            case OpCall(op):
                return self.bindings[op]
            case FunctionCall(module, function):
                return f"import_module({py_string(module)}).{function}"

    def kept(self, saved: Saved) -> str:
        """Return the variable that holds a saved value."""
        match saved:
            case ArgumentValue(name):
                return self.variable(name)
            case Result(place):
                return self.variables[f"result {place}"]
        return self.variables[f"{saved}"]


def _slug(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_").replace("None", "none")


def tuple_text(parts: Iterable[str]) -> str:
    """Write a tuple of expressions."""
    texts = list(parts)
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _distinct(wanted: Mapping[str, str]) -> dict[str, str]:
    """Make names distinct by underscores; the first of equal names stays as it is."""
    taken: set[str] = set()
    names = {}
    for key, name in wanted.items():
        while name in taken:
            name += "_"  # noqa: PLW2901 - extended until it is free
        taken.add(name)
        names[key] = name
    return names
