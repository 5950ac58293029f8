"""OPG753: an argument takes fewer shapes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.tensors import Entry, Tensors
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG753",
    name="narrowed-shape",
    severity=Severity.ERROR,
    summary="A tensor argument no longer accepts every shape that it accepted.",
    why=(
        "Calls with the other shapes are refused. Renaming sizes is not a change; neither is a new `*batch` in place "
        "of some dims or none, `_` in place of a size, or removing the entry. If a size is an expression, only its "
        "text is compared."
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
    texts = [entry.words for _, entry, _ in tensors.inputs if entry]
    texts += [tensors.sizes.words(condition.text.value) for condition in pair.new.spec.checks]
    words = Counter(word for text in texts for word in re.findall(r"\w+", text))
    for old, new, name in tensors.inputs:
        if new is None or (old is not None and old.words == new.words):
            continue
        before = old.shapes if old else ((_REST,),)
        if not before or not all(any(_takes(now, was, words) for now in new.shapes) for was in before):
            message = f"the shape of '{name}' was {_shown(old)}, and is {_shown(new)}"
            yield changed(CODE, pair, message, [Category.SEMANTIC], new.location, old.location if old else None)


def _shown(entry: Entry | None) -> str:
    """Write the shapes as they stand in the file; all of an entry that has several by condition."""
    if entry is None:
        return "any"
    shapes = entry.spec.shapes if entry.spec else ()
    dims = ([entry.text[slice(*dim.span)] for dim in shape] for shape in shapes)
    return "|".join(f"[{', '.join(each)}]" for each in dims) or f"`{entry.text}`"


def _takes(new: Sequence[str], old: Sequence[str], words: Mapping[str, int]) -> bool:
    """Whether every tensor of the old dims has the new ones."""
    rest = new.index(_REST) if _REST in new else None
    if rest is None:
        return len(new) == len(old) and all(_takes_dim(now, was, words) for now, was in zip(new, old, strict=True))
    head, tail = new[:rest], new[rest + 1 :]
    if len(old) < len(head) + len(tail):
        return False
    ends = [*zip(head, old, strict=False), *zip(tail, old[len(old) - len(tail) :], strict=True)]
    return all(_takes_dim(now, was, words) for now, was in ends)


def _takes_dim(new: str, old: str, words: Mapping[str, int]) -> bool:
    """Whether a dim takes what another took: `_` any one size, as does a name that stands nowhere else."""
    is_one = not old.startswith(("*", _REST))
    return new == old or (is_one and (new == "_" or words.get(new) == 1))
