"""Resolved gradient formulas, and the meanings of the names in them."""

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
    """A property of an argument that is saved instead of the argument: ``x.shape``, ``bias is None``.

    PyTorch's generator does the same (``REPLACEMENTS`` in ``tools/autograd/load_derivatives.py``).

    Attributes:
        argument: the argument.
        template: a Python expression with ``{}`` for the argument.
    """

    argument: str
    template: str


@dataclass(frozen=True, slots=True)
class Result:
    """A result of the call, by its position among the returns."""

    place: int


@dataclass(frozen=True, slots=True)
class SizeValue:
    """A size that ``tensors`` names."""

    name: str


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of a result, by its position among the returns."""

    place: int


@dataclass(frozen=True, slots=True)
class AllGradients:
    """The gradients of all results as a tuple: ``grads``."""


@dataclass(frozen=True, slots=True)
class Mask:
    """A tuple of bools that tells which of the formula's arguments need a gradient: ``grad_input_mask``."""


@dataclass(frozen=True, slots=True)
class OpCall:
    """A functional op of the library, by qualified name."""

    op: str


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function of the author, ``module:function``."""

    module: str
    function: str


Saved: TypeAlias = ArgumentValue | Fact | Result | SizeValue
"""A value that a call saves for ``backward``."""

Meaning: TypeAlias = Saved | Gradient | AllGradients | Mask | OpCall | FunctionCall


@dataclass(frozen=True, slots=True)
class Formula:
    """One formula.

    Attributes:
        arguments: the arguments whose gradients it gives; the expression gives a tuple in this order if there are
            several.
        text: the text in ``ops.yaml``, on one line.
        tree: the expression. A name in it is a key of ``names``, ``torch``, a builtin, or bound within it.
        names: name -> its meaning.
    """

    arguments: tuple[str, ...]
    text: str
    tree: ast.expr = field(compare=False)
    names: Mapping[str, Meaning]


@dataclass(frozen=True)
class Gradients:
    """The gradients of a functional op, which its in-place form shares.

    Attributes:
        op: the qualified name of the functional op.
        formulas: the formulas in the order of the file.
        not_implemented: tensor arguments whose gradient raises an exception in ``backward``.
        constants: tensor arguments without gradient though they may require grad (``non_differentiable``).
        differentiable: for each return, whether it has a gradient.
        is_twice_differentiable: no reason is known why ``backward`` couldn't be differentiated itself.
    """

    op: str
    formulas: tuple[Formula, ...]
    not_implemented: tuple[str, ...]
    constants: tuple[str, ...]
    differentiable: tuple[bool, ...]
    is_twice_differentiable: bool

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The arguments with a formula."""
        return tuple(name for formula in self.formulas for name in formula.arguments)

    @cached_property
    def saved(self) -> tuple[Saved, ...]:
        """All values that a call saves, each once, in the order of use."""
        return tuple(dict.fromkeys(self._saved()))

    def readers(self, saved: Saved) -> tuple[Formula, ...]:
        """Return the formulas that use a saved value."""
        return tuple(formula for formula in self.formulas if saved in formula.names.values())

    def _saved(self) -> Iterator[Saved]:
        for formula in self.formulas:
            for meaning in formula.names.values():
                if isinstance(meaning, ArgumentValue | Fact | Result | SizeValue):
                    yield meaning
