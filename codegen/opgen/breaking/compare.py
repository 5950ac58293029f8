"""Compare two versions of a library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from opgen.breaking.breakage import Breakage
from opgen.breaking.pair import Pair
from opgen.breaking.rules import (
    changed_default,
    changed_dots,
    changed_kernel,
    changed_result,
    changed_return,
    changed_role,
    changed_sharing,
    changed_tags,
    changed_transforms,
    changed_type,
    changed_writes,
    cpp_signature,
    fewer_backends,
    fewer_releases,
    inserted_argument,
    keyword_only_argument,
    lost_gradient,
    lost_symint,
    moved_argument,
    narrowed_dtypes,
    narrowed_layout,
    narrowed_shape,
    new_check,
    newer_graphs,
    removed_argument,
    removed_default,
    removed_op,
    removed_twin,
    renamed_argument,
    renamed_package,
    required_argument,
    return_count,
)
from opgen.breaking.surface import Surface
from opgen.diagnostics import ordered
from opgen.diagnostics.diagnostic import Note

SideCheck: TypeAlias = Callable[[Surface, Surface], Iterator[Breakage]]
PairCheck: TypeAlias = Callable[[Pair], Iterator[Breakage]]
_Broken: TypeAlias = Mapping[str, list[Breakage]]

_SIDES: tuple[SideCheck, ...] = (renamed_package.check, fewer_releases.check, removed_op.check)
_SCHEMAS: tuple[PairCheck, ...] = (
    removed_argument.check,
    renamed_argument.check,
    moved_argument.check,
    required_argument.check,
    inserted_argument.check,
    keyword_only_argument.check,
    removed_default.check,
    changed_default.check,
    changed_type.check,
    changed_dots.check,
    return_count.check,
    changed_return.check,
    newer_graphs.check,
    cpp_signature.check,
    changed_writes.check,
    changed_sharing.check,
    lost_symint.check,
    removed_twin.check,
    fewer_backends.check,
)
_DECLARATIONS: tuple[PairCheck, ...] = (
    changed_kernel.check,
    changed_tags.check,
    changed_role.check,
    narrowed_dtypes.check,
    narrowed_shape.check,
    narrowed_layout.check,
    changed_result.check,
    new_check.check,
    lost_gradient.check,
    changed_transforms.check,
)
"""Asked only where both sides are declarations: sources say nothing of these."""


def compare(old: Surface, new: Surface) -> list[Breakage]:
    """Return all that a change of a library breaks, by place in the new one."""
    found = [one for check in _SIDES for one in check(old, new)]
    broken = {name: compare_ops(Pair(old.ops[name], op, old, new)) for name, op in new.ops.items() if name in old.ops}
    for name, those in broken.items():
        forms = [one for one in new.ops if one in broken and one != name and _declared(one, new) == name]
        found += (_with_forms(one, forms, broken) for one in those if not _is_repeated(one, name, broken, new))
    by_diagnostic = {id(one.diagnostic): one for one in found}
    return [by_diagnostic[id(diagnostic)] for diagnostic in ordered(one.diagnostic for one in found)]


def _declared(name: str, side: Surface) -> str:
    return side.ops[name].declared.qualified_name


def _is_repeated(one: Breakage, name: str, broken: _Broken, side: Surface) -> bool:
    """Whether the same is said of the op that a form is derived from."""
    declared = _declared(name, side)
    return declared != name and any(_says_of(name, it) == one.diagnostic.message for it in broken.get(declared, ()))


def _with_forms(one: Breakage, forms: Iterable[str], broken: _Broken) -> Breakage:
    """Name the derived forms of which the same is true."""
    places = {
        form: it.diagnostic.location
        for form in forms
        for it in broken[form]
        if it.diagnostic.message == _says_of(form, one)
    }
    notes = tuple(Note(f"so it is for {form}", place) for form, place in places.items() if place is not None)
    return replace(one, diagnostic=replace(one.diagnostic, notes=one.diagnostic.notes + notes)) if notes else one


def _says_of(form: str, one: Breakage) -> str:
    return f"{form}: {one.diagnostic.message}"


def compare_ops(pair: Pair) -> list[Breakage]:
    """Return what a change of one op breaks."""
    is_derived = pair.old.is_derived and pair.new.is_derived  # then these are said of the declared op
    checks = (*_SCHEMAS, *_DECLARATIONS) if pair.are_declared and not is_derived else _SCHEMAS
    return [one for check in checks for one in check(pair)]
