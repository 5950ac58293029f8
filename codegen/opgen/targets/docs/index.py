"""Emits ``README.md`` of the documentation: all operators on one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.docs.place import FOLDER, code, page_name, plain
from opgen.targets.output import OutputFile
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class Entry:
    """One declared op; its fields are Markdown for the cells of a row.

    Attributes:
        page: the file of its page.
        name: the qualified name.
        contracts: its contract, and those of the forms derived from it.
        kernels: the dispatch keys that it has kernels for; ``every`` for a composite kernel.
        gradients: the arguments that have a gradient.
        summary: the first paragraph of its ``doc``.
    """

    page: str
    name: str
    contracts: str
    kernels: str
    gradients: str
    summary: str


@dataclass(frozen=True, slots=True)
class IndexView:
    """The page."""

    package: str
    entries: tuple[Entry, ...]


def index_file(library: Library) -> OutputFile:
    """Emit the index."""
    entries = tuple(
        Entry(
            page_name(family[0]),
            family[0].qualified_name,
            ", ".join(op.contract.value for op in family),
            ", ".join("every" if kernel.is_composite else kernel.dispatch_key for kernel in family[0].kernels),
            ", ".join(map(code, _differentiable(family))),
            plain(family[0].doc),
        )
        for family in sorted(library.families.values(), key=lambda family: family[0].qualified_name)
    )
    return OutputFile(f"{FOLDER}/README.md", render("docs/index.md.j2", IndexView(library.package, entries)))


def _differentiable(family: Sequence[Op]) -> Iterator[str]:
    """Yield the arguments that have a formula, in the form of the family that declares the formulas."""
    gradients = next((op.gradients for op in family if op.gradients is not None), None)
    if gradients is not None:
        yield from (argument for formula in gradients.formulas for argument in formula.arguments)
