"""OPG524: two ``TORCH_LIBRARY`` blocks for one namespace."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.readers.registrations import Block
from opgen.rules.registrations.joined import MOST_BESIDE, Joined, exclude_each_other
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.source import Location, Span

CODE = Code(
    id="OPG524",
    name="two-owners-of-namespace",
    severity=Severity.ERROR,
    summary="Two `TORCH_LIBRARY` blocks claim one namespace.",
    why=(
        "Only one block of a process may own a namespace: when the second is loaded, PyTorch raises in a static "
        "initialiser and Python aborts (`aten/src/ATen/core/library.cpp`)."
    ),
    bad=cpp(
        'TORCH_LIBRARY(mylib, m) { m.def("lift(Tensor(a!) x) -> ()"); }\n'
        'TORCH_LIBRARY(mylib, m) { m.def("drop(Tensor(a!) x) -> ()"); }\n'
    ),
    good=cpp(
        'TORCH_LIBRARY(mylib, m) { m.def("lift(Tensor(a!) x) -> ()"); }\n'
        'TORCH_LIBRARY_FRAGMENT(mylib, m) { m.def("drop(Tensor(a!) x) -> ()"); }\n'
    ),
    remedy="make every block but one a `TORCH_LIBRARY_FRAGMENT`",
)


_OF_THE_BUILD = "TORCH_EXTENSION_NAME"
"""A macro that each binary defines as its own name, so that two blocks with it may have different namespaces."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report a second block of a namespace that the same build may have as the first."""
    owners: dict[str, list[Block]] = {}
    defined: dict[tuple[str, str], set[str]] = {}
    for one in joined.definitions:
        key = (one.statement.location.source.path, one.statement.namespace)
        defined.setdefault(key, set()).add(one.name or "")
    for block in joined.registrations.blocks:
        if block.kind != "library" or _OF_THE_BUILD in block.namespace:
            continue
        earlier = owners.setdefault(block.namespace, [])
        first = next((one for one in earlier if not _are_of_two_builds(one, block, defined)), None)
        if len(earlier) < MOST_BESIDE:
            earlier.append(block)
        if first is not None and first.location != block.location:
            fragment = "STABLE_TORCH_LIBRARY_FRAGMENT" if block.abi == "stable" else "TORCH_LIBRARY_FRAGMENT"
            place = f"{first.location.source.path}:{first.location.start.line}"
            message = f"namespace '{block.namespace}' has an owner in {place} already; a second one ends the process"
            note = Note("its owner is here", first.location)
            help_ = f"write `{fragment}({block.namespace}, m)`"
            fix = _fix(block.location, fragment)
            yield found_at(CODE, None, message, block.location, help=help_, notes=(note,), fix=fix)


def _are_of_two_builds(first: Block, second: Block, defined: Mapping[tuple[str, str], AbstractSet[str]]) -> bool:
    """Whether no build has both blocks: by their ``#if``, or as two files that define the same op (see OPG523)."""
    path, its_path = first.location.source.path, second.location.source.path
    mine, its = (defined.get((one, first.namespace), frozenset()) for one in (path, its_path))
    return exclude_each_other(first.conditions, second.conditions) or (path != its_path and not mine.isdisjoint(its))


def _fix(head: Location, fragment: str) -> Fix | None:
    """Return a fix that makes a block a fragment; ``None`` if its head is written by a macro of the project."""
    start, end = head.span
    macro = fragment.removesuffix("_FRAGMENT")
    if not re.match(rf"{macro}\s*\(", head.source.text[start:end]):
        return None
    return Fix(
        "make it a fragment", (Edit(Location(head.source, Span(start, start + len(macro))), fragment),), "unsafe"
    )


RULE = RegistrationRule(CODE, check)
