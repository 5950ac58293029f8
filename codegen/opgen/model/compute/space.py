"""The iteration space of an op: its axes, and the axes that the dims of each tensor lie along."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping

from opgen.model.compute import codes
from opgen.model.compute.nodes import Axis, Dim
from opgen.model.compute.sizes import Polynomial, as_expression, is_of_names, key_of, polynomial
from opgen.records import dataclass
from opgen.source import Location
from opgen.spec.expression import Expression, Name
from opgen.spec.library import TensorEntry
from opgen.spec.report import Report
from opgen.spec.tensor_spec import Dim as WrittenDim
from opgen.spec.tensor_spec import DimBroadcast, DimPack, DimSize, TensorSpec
from opgen.spec.written import render_written


@dataclass(frozen=True, slots=True)
class Shape:
    """The dims of a tensor as its author wrote them.

    Attributes:
        tensor: the name of the argument or output.
        dims: its dims; ``_``, ``...`` and ``?k`` are not among them.
    """

    tensor: str
    dims: tuple[WrittenDim, ...]


def shape_of(tensor: str, entry: TensorEntry | None, place: Location, report: Report) -> Shape | None:
    """Return the dims of a tensor; ``None`` after reporting why expressions can't use them."""
    what = f"'{tensor}'"
    if entry is None:
        report.add(codes.DIMS, f"{what} has no entry in `tensors`", place, f'state its dims, `{tensor}: "float [n]"`')
    elif not isinstance(entry.form, TensorSpec):
        report.add(
            codes.DIMS, f"{what} has its form by condition, expected one form", entry.text.locate(entry.form.span)
        )
    elif len(entry.form.shapes) > 1:
        message = f"{what} has one of several shapes, expected one"
        report.add(codes.DIMS, message, entry.text.locate(entry.form.span))
    else:
        for dim in entry.form.shapes[0]:
            if not isinstance(dim, DimPack | DimBroadcast | DimSize):
                written = entry.text.value[dim.span.start : dim.span.end]
                message = f"{what} has the dim '{written}', expected one with a name that is known before the call"
                report.add(codes.DIMS, message, entry.text.locate(dim.span), "name it: dims of one name are aligned")
                return None
        return Shape(tensor, entry.form.shapes[0])
    return None


class Space:
    """The axes of one op; each tensor that is used adds its own."""

    def __init__(self, shapes: Iterable[Shape]) -> None:
        """Collect the packs that are broadcast against each other in any of the shapes."""
        self._axes: dict[Hashable, Axis] = {}
        self._order: list[str] = []
        self._groups: dict[str, tuple[str, ...]] = {}
        for shape in shapes:
            for dim in shape.dims:
                if isinstance(dim, DimBroadcast):
                    for pack in dim.packs:
                        self._groups.setdefault(pack, dim.packs)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes used so far, the outermost first."""
        by_name = self.by_name
        return tuple(by_name[name] for name in self._order)

    @property
    def by_name(self) -> Mapping[str, Axis]:
        """The axes by name."""
        return {axis.name: axis for axis in self._axes.values()}

    def along(self, name: str, *, is_pack: bool | None = None) -> Axis | None:
        """Return the axis of a dim or a pack with this name; ``None`` if there is none."""
        found = self._axes.get(self._groups.get(name, (name,))) or self._axes.get(key_of(polynomial(Name(name))))
        return None if found is None or is_pack not in (None, found.is_pack) else found

    def is_part(self, shape: Shape) -> bool:
        """Whether a tensor has a pack that another tensor broadcasts with further packs."""
        return any(isinstance(dim, DimPack) and dim.name in self._groups for dim in shape.dims)

    def sized(self, size: Polynomial, written: Expression) -> Dim:
        """Return a dim of this size, which lies along the axis of equal size; one of size 1 lies along no axis."""
        if size == {(): 1}:
            return Dim(None)
        key = key_of(size)
        if key not in self._axes:
            plain = as_expression(size) if is_of_names(size) else written
            self._axes[key] = Axis(self._free(_name(plain)), size=plain)
        return Dim(self._axes[key].name)

    def dims(self, shape: Shape) -> tuple[Dim, ...]:
        """Return the dims of a whole tensor."""
        return tuple(map(self._dim, shape.dims))

    def _dim(self, dim: WrittenDim) -> Dim:
        match dim:
            case DimPack(name):
                return self._pack(self._groups.get(name, (name,)))
            case DimBroadcast(packs):
                return self._pack(packs)
            case DimSize(size):
                return self.sized(polynomial(size), size)
        raise TypeError(f"{dim} has no name")

    def _pack(self, packs: tuple[str, ...]) -> Dim:
        if packs not in self._axes:
            broadcast = packs if len(packs) > 1 else ()
            self._axes[packs] = Axis(self._free("_".join(packs)), is_pack=True, packs=broadcast)
        return Dim(self._axes[packs].name, is_pack=True)

    def _free(self, name: str) -> str:
        taken = self.by_name
        while name in taken:
            name += "_"
        return name

    def order(self, dims: tuple[Dim, ...]) -> None:
        """Insert a tensor's new axes into the order, next to the neighbours that they have in the tensor."""
        names = [dim.axis for dim in dims if dim.axis is not None]
        for place, name in enumerate(names):
            if name in self._order:
                continue
            before = next((each for each in reversed(names[:place]) if each in self._order), None)
            behind = next((each for each in names[place + 1 :] if each in self._order), None)
            if before is not None:
                self._order.insert(self._order.index(before) + 1, name)
            elif behind is not None:
                self._order.insert(self._order.index(behind), name)
            else:
                self._order.append(name)


def _name(size: Expression) -> str:
    if isinstance(size, Name):
        return size.name
    return "dim_" + re.sub(r"\W+", "_", render_written(size)).strip("_")


def repeated(dims: tuple[Dim, ...]) -> Iterator[str]:
    """Yield the axes that a tensor lies along more than once."""
    names = [dim.axis for dim in dims if dim.axis is not None]
    yield from sorted({name for name in names if names.count(name) > 1})
