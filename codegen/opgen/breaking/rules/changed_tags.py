"""OPG731: an op is defined with other tags."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed
from opgen.breaking.breakage import diff as example
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.rules.rule import listed

CODE = Code(
    id="OPG731",
    name="changed-tags",
    severity=Severity.WARNING,
    summary="An op is defined with different tags.",
    why=(
        "`torch.compile` and `torch.export` use tags to decide what may be reordered, given a new layout, or kept: a "
        "graph that was traced with one set may be wrong with another. PyTorch's comparison of schemas ignores them. "
        "Source: `aten/src/ATen/native/tags.yaml`."
    ),
    remedy="export saved graphs anew, and clear the caches of `torch.compile`",
    bad=example(
        "   - func: scale(Tensor x) -> Tensor",
        "-    tags: [pointwise]",
    ),
    good=example(
        "   - func: scale(Tensor x) -> Tensor",
        "+    doc: Scales.",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield ops whose contract is the same, but not their tags; those of a contract go with it."""
    if pair.old.contract is not pair.new.contract or not pair.are_declared:
        return
    was, now = set(pair.old.tags), set(pair.new.tags)
    parts = [f"{word} {listed(sorted(tags))}" for word, tags in (("gained", now - was), ("lost", was - now)) if tags]
    if parts:
        place, before = (op.spec.keys.get("tags", op.location) for op in (pair.new, pair.old))
        yield changed(CODE, pair, f"the op {' and '.join(parts)}", [Category.EXPORT], place, before)
