"""Formulas with every name resolved."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class ArgumentValue:
    """An argument of the op: a tensor, a list of them, or any other value."""

    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What is kept of an argument where a formula asks for nothing else of it: ``x.shape``, ``bias is None``.

    ``template`` is a Python expression with ``{}`` for the argument. PyTorch's generator does the same (``REPLACEMENTS``
    in ``tools/autograd/load_derivatives.py``).
    """

    argument: str
    template: str


@dataclass(frozen=True, slots=True)
class Result:
    """What the call returned at a place."""

    place: int


@dataclass(frozen=True, slots=True)
class SizeValue:
    """A size that ``tensors`` names."""

    name: str


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of what was returned at a place."""

    place: int


@dataclass(frozen=True, slots=True)
class AllGradients:
    """The gradients of everything that was returned, as a tuple: ``grads``."""


@dataclass(frozen=True, slots=True)
class Mask:
    """Which of the arguments of the formula need a gradient, as a tuple: ``grad_input_mask``."""


@dataclass(frozen=True, slots=True)
class OpCall:
    """A functional op of the library, by qualified name."""

    op: str


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function of the author's, ``module:function``."""

    module: str
    function: str


Saved: TypeAlias = ArgumentValue | Fact | Result | SizeValue
"""What the call keeps for `backward`."""

Meaning: TypeAlias = Saved | Gradient | AllGradients | Mask | OpCall | FunctionCall


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula.

    Attributes:
        arguments: whose gradients it gives, in this order; a tuple of them where there are several.
        text: as written, on one line.
        tree: the expression. A name in it is a key of ``names``, ``torch``, a builtin, or bound within it.
        names: what the names mean.
    """

    arguments: tuple[str, ...]
    text: str
    tree: ast.expr = field(compare=False)
    names: Mapping[str, Meaning]


@dataclass(frozen=True)
class Gradients:
    """The gradients of a functional op, or those that an in-place form of it has through it.

    Attributes:
        op: the qualified name of the functional op.
        formulas: in the order of the file.
        not_implemented: tensor arguments that `backward` refuses a gradient for, as if they had a formula that raises.
        constants: tensor arguments that may require grad and count as numbers.
        differentiable: of each return, whether it has a gradient.
        is_twice_differentiable: whether nothing is known that `backward` can't be differentiated through.
    """

    op: str
    formulas: tuple[Formula, ...]
    not_implemented: tuple[str, ...]
    constants: tuple[str, ...]
    differentiable: tuple[bool, ...]
    is_twice_differentiable: bool

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that there is a formula for."""
        return tuple(name for formula in self.formulas for name in formula.arguments)

    @cached_property
    def saved(self) -> tuple[Saved, ...]:
        """All that a call keeps, each once, in the order of use."""
        return tuple(dict.fromkeys(self._saved()))

    def readers(self, saved: Saved) -> tuple[Formula, ...]:
        """Return the formulas that use something."""
        return tuple(formula for formula in self.formulas if saved in formula.names.values())

    def _saved(self) -> Iterator[Saved]:
        for formula in self.formulas:
            for meaning in formula.names.values():
                if isinstance(meaning, ArgumentValue | Fact | Result | SizeValue):
                    yield meaning
