"""Aligns tensors with the axes of a program's iteration space, so that PyTorch's broadcasting combines them.

Axes are dims counted from the right; a tensor gets a dim of size 1 for an axis that it lacks. It needs none for axes
left of all its own, since PyTorch broadcasts from the right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from opgen.model.compute.nodes import Axis, Dim
from opgen.records import dataclass
from opgen.spec.expression import Expression
from opgen.targets.expressions import Binding, Names, render_python


@dataclass(frozen=True)
class TorchSpace:
    """The axes of a program as dims of tensors.

    Attributes:
        axes: the axes, the outermost first. A pack (``*batch``) is one axis of any number of dims.
        names: the variables of sizes and packs.
    """

    axes: tuple[Axis, ...]
    names: Names

    def place(self, axis: str) -> str:
        """Return the expression for the dim of an axis that is no pack, counted from the end: ``-1 - len(batch)``."""
        return self._from_end(self._behind(axis))

    def _behind(self, axis: str) -> list[str]:
        names = [each.name for each in self.axes]
        return names[names.index(axis) + 1 :]

    def count(self, axis: Axis) -> str:
        """Return the expression for the number of dims of a pack."""
        lengths = [f"len({self.names.value(pack)})" for pack in axis.packs or (axis.name,)]
        return lengths[0] if len(lengths) == 1 else f"max({', '.join(lengths)})"

    def run(self, axis: Axis) -> str:
        """Return the dims of a pack as a ``range`` of numbers counted from the end."""
        end = self._from_end(self._behind(axis.name), own=0)
        return f"range({_minus(end, self.count(axis))}, {end})"

    def shape(self, dims: Iterable[Dim]) -> str:
        """Return the tuple of sizes of a tensor with these dims."""
        texts = [self._extent(dim) for dim in dims]
        return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"

    def spread(self, names: Collection[str]) -> str:
        """Return the tuple of sizes of a tensor with dims along all axes, of size 1 except along the named ones."""
        texts = []
        for axis in self.axes:
            if axis.name in names:
                texts.append(self._extent(Dim(axis.name, axis.is_pack)))
            else:
                texts.append(f"*(1,) * {self.count(axis)}" if axis.is_pack else "1")
        return f"({', '.join(texts)})"

    def _extent(self, dim: Dim) -> str:
        if dim.axis is None:
            return "1"
        axis = self._axis(dim.axis)
        if axis.is_pack:
            packs = [self.names.value(pack) for pack in axis.packs or (axis.name,)]
            return f"*{packs[0]}" if len(packs) == 1 else f"*torch.broadcast_shapes({', '.join(packs)})"
        return self.size(dim.axis)

    def size(self, axis: str, at_least: Binding = Binding.CHOICE) -> str:
        """Return the rendered size of an axis that is no pack."""
        return render_python(self.size_of(axis), self.names, at_least)

    def size_of(self, axis: str) -> Expression:
        """Return the size of an axis.

        Raises:
            ValueError: the axis is a pack.
        """
        size = self._axis(axis).size
        if size is None:
            raise ValueError(f"{axis} is a pack of dims")
        return size

    def packs(self) -> frozenset[str]:
        """Return the packs whose number of dims the expressions use."""
        return frozenset(pack for axis in self.axes if axis.is_pack for pack in axis.packs or (axis.name,))

    def aligned(self, text: str, dims: Sequence[Dim]) -> str:
        """Return the expression for a tensor with its dims at the places of its axes; ``text`` must be an atom."""
        text, present = self._without_ones(text, dims)
        text, present = self._sorted(text, present)
        order = [axis.name for axis in self.axes]
        for axis in reversed(self.axes):
            place = sum(order.index(name) < order.index(axis.name) for name in present)
            left, right = present[:place], [name for name in present[place:] if name != axis.name]
            if not left:
                break
            if axis.name in present and not axis.packs:
                continue
            present = [*left, axis.name, *right]
            if axis.is_pack:
                text = f"_padded({text}, {self._width(left)}, {self._width(present)})"
            else:
                text = f"{text}.unsqueeze({self._from_end(right)})"
        return text

    def ordered(self, text: str, dims: Sequence[Dim]) -> str:
        """Return the expression for a tensor with its dims in the order of the axes, none added."""
        return self._sorted(text, [dim.axis for dim in dims if dim.axis is not None])[0]

    def _without_ones(self, text: str, dims: Sequence[Dim]) -> tuple[str, list[str]]:
        """Drop the dims of size 1 that lie along no axis."""
        names = [dim.axis for dim in dims]
        for place in reversed(range(len(names))):
            if names[place] is None:
                right = [name for name in names[place + 1 :] if name is not None]
                is_counted = any(dim.is_pack for dim in dims[:place])
                text = f"{text}.squeeze({self._from_end(right) if is_counted else place})"
                del names[place]
        return text, [name for name in names if name is not None]

    def _sorted(self, text: str, present: list[str]) -> tuple[str, list[str]]:
        """Move dims to the order of the axes."""
        order = [axis.name for axis in self.axes]
        wanted = sorted(present, key=order.index)
        if wanted == present:
            return text, present
        pack = next((name for name in present if self._axis(name).is_pack), None)
        moved = [name for name in present if name != pack]
        source, target = (tuple(_index(names, name, pack) for name in moved) for names in (present, wanted))
        return f"{text}.movedim({source}, {target})", wanted

    def unsorted(self, text: str, dims: Sequence[Dim]) -> tuple[str, tuple[Dim, ...]]:
        """Return an expression that moves dims from the order of the axes to a tensor's, and the dims before that."""
        order = [axis.name for axis in self.axes]
        wanted = [dim.axis for dim in dims if dim.axis is not None]
        present = sorted(wanted, key=order.index)
        if present == wanted:
            return text, tuple(dims)
        by_name = {dim.axis: dim for dim in dims}
        pack = next((name for name in wanted if self._axis(name).is_pack), None)
        moved = [name for name in present if name != pack]
        source, target = (tuple(_index(names, name, pack) for name in moved) for names in (present, wanted))
        return f"{text}.movedim({source}, {target})", tuple(by_name[name] for name in present)

    def _axis(self, name: str) -> Axis:
        return next(axis for axis in self.axes if axis.name == name)

    def _from_end(self, right: Sequence[str], own: int = 1) -> str:
        """Return the number of a dim counted from the end, given the axes to its right."""
        packs = [axis for name in right if (axis := self._axis(name)).is_pack]
        return "".join([str(-(len(right) - len(packs)) - own), *(f" - {self.count(pack)}" for pack in packs)])

    def _width(self, names: Sequence[str]) -> str:
        """Return the expression for the number of dims along some axes."""
        packs = [axis for name in names if (axis := self._axis(name)).is_pack]
        sized = len(names) - len(packs)
        return " + ".join([*([str(sized)] if sized or not packs else []), *map(self.count, packs)])


def _index(names: Sequence[str], name: str, pack: str | None) -> int:
    place = names.index(name)
    return place if pack is None or place < names.index(pack) else place - len(names)


def _minus(left: str, right: str) -> str:
    return f"-{right}" if left == "0" else f"{left} - {right}"
