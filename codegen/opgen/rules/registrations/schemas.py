"""Runs the rules that only need a schema over every schema defined in C++ or Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from string import ascii_lowercase

from opgen.diagnostics import Diagnostic
from opgen.diagnostics.diagnostic import Note
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.marks import mark_fix
from opgen.rules.registration import tag_in_binary, unknown_tag, unpaired_out
from opgen.rules.registrations.joined import CORE, Defined, Joined, is_unknown
from opgen.rules.registry import rules_of
from opgen.rules.rule import Rule

_CATEGORIES = ("contract", "naming", "types")
_MORE = (tag_in_binary.RULE, unknown_tag.RULE, unpaired_out.RULE)
_OF_OPS_YAML = frozenset(
    {
        "classic-abi-type",  # about types in generated C++; hand-written C++ can take more
        "contradicting-role",  # `overwrites` and `scratch`
        "dynamic-output-with-write",  # `tensors`
        "identifier-collision",  # of generated files
        "return-name",  # a key of `tensors`
        "unknown-role",  # `overwrites`, `scratch`, `may_overlap`
    }
)
"""Rules about other keys of ``ops.yaml``, which don't apply to hand-written sources."""

CORE_MAY = {
    "alias-set-change": "`-> *` in operators that return lists of views",
    "annotation-on-non-tensor": "lists of numbers and generators are objects in TorchScript, and are written",
    "contract-tag": "torchgen gives the tags, to operators on lists of tensors as well",
    "dangling-alias-set": "`-> Tensor(b|a)`, fresh or a view, in TorchScript's own operators",
    "inplace-argument-type": "generators that are written and returned",
    "no-effect": "assertions, which PyTorch knows to be impure",
    "out-overload": "older than the convention",
    "python-keyword": "`from`, as in `random_`",
    "size-typed-int": "older than `SymInt`",
    "unpaired-out": "those of factories, which have no functional form of the same name",
    "unreachable-name": "`__or__` and the like, which `torch.Tensor` calls",
    "view-return": "ATen's views, which autograd and functionalization know",
}
"""The profile of ATen's namespaces: rule that doesn't apply to them -> reason; `docs/findings.md` lists them."""

_COMPOSITE_MAY = frozenset({"view-return"})
"""Rules that don't apply to CompositeImplicitAutograd ops, which autograd and ``torch.compile`` only see decomposed."""

_REMEDIES = {
    "no-effect": (
        "mark what it writes with `!`, as in `Tensor(a!) dst`; for an effect outside of tensors register it in Python by "
        "`torch.library._register_effectful_op`"
    ),
    "tag-in-binary": "define the op in Python, `Library.define(…, tags=…)`, or make it a mutable one that returns `()`",
    "over-declared-writes": "leave the `!` only where the kernel writes",
    "contract-tag": (
        "remove the tag, or fix the schema: `inplace` asks for `Tensor(a!) x` as the first argument and `Tensor(a!)` as "
        "the only return, `out` for keyword-only `Tensor(a!)` arguments that are all returned"
    ),
}
"""Code -> remedy for hand-written sources, for codes whose own remedy mentions keys of ``ops.yaml``."""

SCHEMA_RULES = (
    *(rule for each in _CATEGORIES for rule in rules_of(each) if rule.code.name not in _OF_OPS_YAML),
    *_MORE,
)


def schema_findings(joined: Joined) -> Iterator[Diagnostic]:
    """Yield the findings about schemas; one that several statements share, perhaps by a macro, is checked once."""
    seen = set()
    for defined in joined.definitions:
        place = defined.statement.schema.locate()
        key = (place.source.path, place.span, defined.name)
        if key in seen:
            continue
        seen.add(key)
        yield from (replace(error, op=defined.name) for error in defined.errors)
        if defined.op is not None:
            rules = _rules(
                defined.op.contract,
                is_core=defined.op.namespace in CORE,
                is_composite=joined.is_composite(defined),
                is_unknown=is_unknown(defined.statement),
            )
            for one in _judged(defined.op, defined.library, rules):
                yield _placed(_with_kernel(one, defined.op, joined), defined)


def _judged(op: Op, library: Library, rules: Iterable[Rule]) -> Iterator[Diagnostic]:
    for rule in rules:
        for diagnostic in rule.check(op, library):
            yield replace(diagnostic, help=_REMEDIES.get(rule.code.name, diagnostic.help))


@cache
def _rules(contract: Contract, *, is_core: bool, is_composite: bool, is_unknown: bool) -> tuple[Rule, ...]:
    allowed = frozenset(CORE_MAY) if is_core else frozenset[str]()
    allowed |= _COMPOSITE_MAY if is_composite else frozenset()
    allowed |= {"over-declared-writes"} if is_unknown else frozenset()
    return tuple(rule for rule in SCHEMA_RULES if contract in rule.contracts and rule.code.name not in allowed)


def _with_kernel(diagnostic: Diagnostic, op: Op, joined: Joined) -> Diagnostic:
    """Add the arguments that the kernels of an op may write, for an op that marks none as written."""
    if diagnostic.code.name != "no-effect":
        return diagnostic
    from opgen.rules.registrations.cpp.writable import writable  # noqa: PLC0415 - imports tree-sitter

    taken = writable(joined.ops[op.qualified_name])
    if not taken:
        return diagnostic
    marks = ", ".join(f"`Tensor({letter}!) {name}`" for letter, name in zip(ascii_lowercase, taken, strict=False))
    notes = tuple(Note("the kernel takes it by a reference that is not const", one.location) for one in taken.values())
    fix = mark_fix(op, *taken)
    return replace(diagnostic, help=f"mark what the kernel writes: {marks}", notes=notes, fix=fix)


def _placed(diagnostic: Diagnostic, defined: Defined) -> Diagnostic:
    """Move a finding about a whole inferred schema to the call with `mutates_args` and tags."""
    statement = defined.statement
    if statement.inferred and diagnostic.location == statement.schema.locate():
        return replace(diagnostic, location=statement.location)
    return diagnostic
