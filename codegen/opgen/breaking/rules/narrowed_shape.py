"""OPG753: an argument takes fewer shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.tensors import Entry, Tensors, packs
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG753",
    name="narrowed-shape",
    severity=Severity.ERROR,
    summary="A tensor argument no longer takes every shape that it took.",
    why=(
        "Calls with the other shapes are refused. Other names for the same sizes are no change, neither are more dims by a new `*batch`, "
        "`_` for a size, or no entry at all; of two expressions for a size only the text is compared."
    ),
    remedy="take all shapes that were taken, or give the new form another overload name",
    bad=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [*batch, n]", return: "x.dtype [*batch, n]"}',
        '+    tensors: {x: "float [m, n]", return: "x.dtype [m, n]"}',
    ),
    good=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '+    tensors: {x: "float [*rows, hidden]", return: "x.dtype [*rows, hidden]"}',
    ),
)
_REST = "..."


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument of which a shape is refused now."""
    tensors = Tensors(pair)
    entries = [new for _, new, _ in tensors.inputs if new]
    texts = [entry.words() for entry in entries] + [check.text.value for check in pair.new.spec.checks]
    known = frozenset().union(*(packs(old) for old, _, _ in tensors.inputs if old))
    for old, new, name in tensors.inputs:
        if new is None or (old is not None and old.words() == new.words()):
            continue
        before = old.shapes if old and old.spec else ((_REST,),) if old is None else ()
        fresh = packs(new) - known - {_REST}
        if not (new.spec and before and all(any(_takes(n, o, fresh, texts) for n in new.shapes) for o in before)):
            message = f"the shape of '{name}' was {_shown(old)}, and is {_shown(new)}"
            yield changed(CODE, pair, message, [Category.SEMANTIC], new.location, old.location if old else None)


def _shown(entry: Entry | None) -> str:
    """Write the shapes as they stand in the file; all of an entry that has several by condition."""
    if entry is None:
        return "any"
    text, spec = entry.written.text.value, entry.spec
    if spec is None:
        return f"`{text}`"
    return "|".join(f"[{', '.join(text[slice(*dim.span)] for dim in shape)}]" for shape in spec.shapes)


def _takes(new: Sequence[str], old: Sequence[str], fresh: frozenset[str], texts: Sequence[str]) -> bool:
    """Whether every tensor of the old dims has the new ones; a fresh pack may be empty."""
    new = [dim for dim in new if dim not in fresh]
    if _REST in new:
        at = new.index(_REST)
        head, tail = new[:at], new[at + 1 :]
        if len(old) < len(head) + len(tail):
            return False
        ends = [*zip(head, old, strict=False), *zip(tail, old[len(old) - len(tail) :], strict=True)]
        return all(_takes_dim(now, was, texts) for now, was in ends)
    return len(new) == len(old) and all(_takes_dim(now, was, texts) for now, was in zip(new, old, strict=True))


def _takes_dim(new: str, old: str, texts: Sequence[str]) -> bool:
    """Whether a dim takes what another took: `_` any one size, as does a name that stands nowhere else."""
    if new == old:
        return True
    is_one = not old.startswith(("*", _REST))
    is_free = new == "_" or (new.isidentifier() and sum(text.count(new) for text in texts) == 1)
    return is_one and is_free
