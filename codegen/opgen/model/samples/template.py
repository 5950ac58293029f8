"""Reads the plan backwards, to compute the shape of each tensor argument from the values of sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from opgen.model.evaluate_expression import Environment, evaluate_expression
from opgen.model.op import Op
from opgen.model.samples.situation import Situation
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    Check,
    CheckPack,
    CheckRank,
    CheckShapes,
    CheckSize,
    Extent,
    PackExtent,
    SolveSize,
)
from opgen.records import dataclass
from opgen.spec.expression import Binary, Comparison, Expression, Name
from opgen.spec.walk import walk

PackTerm = PackExtent | BroadcastExtent
Shape = tuple[Extent | PackExtent | None, ...]


@dataclass
class Template:
    """The shape of one tensor argument.

    Attributes:
        tensor: the argument.
        rank: the number of dims without those of a pack.
        dims: dim -> the expression of its size; dims right of a pack are counted from the end (negative).
        lead: the number of dims left of the pack; without a pack the rank.
        pack: the pack, or ``None``.
        agreements: equalities between sizes, for a dim that has two expressions.
    """

    tensor: str
    rank: int = 0
    dims: dict[int, Expression] = field(default_factory=dict)
    lead: int = 0
    pack: PackTerm | None = None
    agreements: list[Expression] = field(default_factory=list)

    def shape(self, environment: Environment) -> tuple[int, ...]:
        """Compute the shape from the values of sizes.

        Raises:
            UnreadableError: a size has no value.
        """
        left = [self._size(place, environment) for place in range(self.lead)]
        right = [self._size(place - self.rank, environment) for place in range(self.lead, self.rank)]
        return (*left, *(_sizes(self.pack, environment) if self.pack else ()), *right)

    @property
    def last_names(self) -> Iterator[str]:
        """The names in its last dim."""
        if self.pack is not None and self.lead == self.rank:
            yield from self.pack_names
        elif (last := self.dims.get(-1, self.dims.get(self.rank - 1))) is not None:
            yield from (node.name for node in walk(last) if isinstance(node, Name))

    @property
    def pack_names(self) -> tuple[str, ...]:
        """The names of the packs in it: several for ``*broadcast(a, b)``."""
        if isinstance(self.pack, PackExtent):
            return (self.pack.name,)
        return self.pack.packs if self.pack else ()

    def _size(self, dim: int, environment: Environment) -> int:
        size: int = evaluate_expression(self.dims[dim], environment)
        return size


def templates(op: Op, situation: Situation) -> dict[str, Template]:
    """Return the template of every tensor argument that is given; ``_`` and ``...`` get generated names."""
    given = (a.name for a in op.arguments if (a.is_tensor or a.is_tensor_list) and a.name in situation.given)
    found = {name: Template(name) for name in given}
    has_pack = set()
    for step in situation.steps(op):
        if isinstance(step.check, CheckRank):
            found[step.check.tensor].rank = step.check.rank
            if not step.check.exact:
                has_pack.add(step.check.tensor)
    for step in situation.steps(op):
        template = found.get(getattr(step.check, "tensor", ""))
        if template is not None and isinstance(step.check, CheckShapes):
            _take(template, step.check.shapes[situation.shape_of(step.check)])
        elif template is not None:
            _read(template, step.check)
    for template in found.values():
        if template.pack is None:
            template.lead = template.rank
            if template.tensor in has_pack:
                template.lead = max((dim + 1 for dim in template.dims if dim >= 0), default=0)
                template.pack = PackExtent(f"{template.tensor}...")
        _name_free_dims(template)
    return found


def _take(template: Template, shape: Shape) -> None:
    """Enter one of several alternative shapes."""
    place = next((place for place, extent in enumerate(shape) if isinstance(extent, PackExtent)), None)
    template.rank = len(shape) - (place is not None)
    for dim, extent in enumerate(shape):
        if isinstance(extent, PackExtent):
            template.lead, template.pack = dim, extent
        elif extent is not None:
            _enter(template, dim if place is None or dim < place else dim - len(shape), extent.size)


def _read(template: Template, check: Check) -> None:
    """Enter the facts about a shape in one step of the plan."""
    match check:
        case BindSize(name, _, dim, "size"):
            _enter(template, dim, Name(name))
        case SolveSize(name, _, dim, offset, factor):
            size: Expression = Binary("*", factor, Name(name))
            _enter(template, dim, size if offset is None else Binary("+", size, offset))
        case CheckSize(_, dim, size):
            _enter(template, dim, size)
        case BindPack(name, _, lead, trail):
            template.rank, template.lead, template.pack = lead + trail, lead, PackExtent(name)
        case CheckPack(_, lead, trail, pack) if template.pack is None:
            template.rank, template.lead, template.pack = lead + trail, lead, pack


def _enter(template: Template, dim: int, size: Expression) -> None:
    """Enter the size of a dim; a second size becomes an equality with the first."""
    known = template.dims.setdefault(dim, size)
    if known != size:
        template.agreements.append(Comparison(("==",), (known, size)))


def _name_free_dims(template: Template) -> None:
    if template.pack is None:
        template.dims = {dim if dim >= 0 else dim + template.rank: size for dim, size in template.dims.items()}
    for place in range(template.rank):
        dim = place if place < template.lead else place - template.rank
        template.dims.setdefault(dim, Name(f"{template.tensor}[{place}]"))


def _sizes(term: PackTerm, environment: Environment) -> tuple[int, ...]:
    if isinstance(term, PackExtent):
        return tuple(environment.value(term.name))
    shapes = [tuple(environment.value(pack)) for pack in term.packs]
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple(0 if 0 in sizes else max(sizes) for sizes in zip(*padded, strict=True))
