"""Tells in messages of checks where a value comes from: ``hidden, as in x.size(-1)``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from opgen.model.op import Op
from opgen.model.tensors import BindPack, BindSize, BroadcastExtent, PackExtent, SolveSize
from opgen.records import dataclass
from opgen.spec.expression import Call, Constant, Expression, Item, Name, Size
from opgen.spec.walk import children
from opgen.targets.expressions import render_written
from opgen.targets.expressions.questions import certain


@dataclass(frozen=True)
class Origins:
    """The places in a call where the names of an op get their values."""

    op: Op

    @cached_property
    def _places(self) -> dict[str, str]:
        """The place each size is read from, as ``x.size(-1)``; empty for a computed size, or one read in two places."""
        places: dict[str, str] = {}
        for name, place in self._bindings():
            places[name] = place if places.get(name, place) == place else ""
        return places

    def _bindings(self) -> Iterator[tuple[str, str]]:
        for step in self.op.tensors.steps:
            element = "[0]" if step.each else ""
            match step.check:
                case BindSize(name, tensor, dim, of):
                    yield name, f"{tensor}{element}.{of}({dim})"
                case BindPack(name, tensor, lead, trail):
                    run = f"[{lead or ''}:{-trail or ''}]" if lead or trail else ""
                    yield name, f"{tensor}{element}.shape{run}"
                case SolveSize(name):
                    yield name, ""

    @cached_property
    def _at_times(self) -> frozenset[str]:
        """The sizes that are bound only in some calls: with an optional argument, or under a condition."""
        steps = (step for step in self.op.tensors.steps if step.given or step.when)
        return frozenset(step.check.name for step in steps if isinstance(step.check, BindSize | BindPack | SolveSize))

    def size(self, size: Expression, written: str = "") -> str:
        """Describe an expected size by its origin; empty for a literal, which needs no explanation."""
        match size:
            case Constant():
                return ""
            case Name(name):
                return self._as_in(name, name)
        return written or render_written(size)

    def pack(self, pack: PackExtent | BroadcastExtent) -> str:
        """Describe the expected sizes of a pack by their origin."""
        if isinstance(pack, BroadcastExtent):
            return f"broadcast({', '.join(pack.packs)})"
        return self._as_in(pack.name, f"*{pack.name}")

    def _as_in(self, name: str, text: str) -> str:
        place = self._places.get(name)
        return f"{text}, as in {place}" if place else text

    def leaves(self, *expressions: Expression) -> dict[Expression, str]:
        """Return the sizes and arguments that expressions read, each with its text for messages; no names of dtypes."""
        return {leaf: text for expression in expressions for leaf, text in self._leaves(expression)}

    def values(self, *expressions: Expression) -> tuple[tuple[str, Expression], ...]:
        """Return the leaves that can safely be read after any outcome of the expressions, with their texts.

        Behind ``and``, ``or`` or ``if`` a leaf may be an element past the end of a list, or a size of an absent tensor.
        """
        evaluated = {node for expression in expressions for node in certain(expression)}
        leaves = self.leaves(*expressions).items()
        return tuple((text, leaf) for leaf, text in leaves if leaf in evaluated or self._is_always_there(leaf))

    def _leaves(self, expression: Expression) -> Iterator[tuple[Expression, str]]:
        match expression:
            case Name(name):
                if name in self._places or name in self.op.argument:
                    place = self._places.get(name)
                    yield expression, f"{name} = {place}" if place else name
            case Item() | Size() | Call("given" | "len" | "rank" | "numel" | "prod"):
                yield expression, render_written(expression)
            case _:
                for child in children(expression):
                    yield from self._leaves(child)

    def _is_always_there(self, leaf: Expression) -> bool:
        match leaf:
            case Name(name):
                return name not in self._at_times
            case Call("given"):
                return True
        return False
