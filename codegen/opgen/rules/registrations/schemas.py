"""The rules that look at a schema alone, run over every schema that C++ or Python defines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Diagnostic
from opgen.model.op import Library, Op
from opgen.rules.registrations.joined import CORE, Defined, Joined
from opgen.rules.registry import RULES

_CATEGORIES = ("contract", "naming", "types")
_MORE = frozenset({"tag-in-binary", "unknown-tag", "unpaired-out"})
_OF_GENERATED_CODE = frozenset(
    {
        "classic-abi-type",  # what generated C++ has a type for; by hand more can be taken
        "identifier-collision",  # of generated files
        "return-name",  # a key of `tensors`
    }
)
_CORE_MAY = frozenset(
    {
        "alias-set-change",  # `-> *`: lists of views
        "bare-write-return",
        "no-effect",  # assertions, which PyTorch knows to be impure
        "out-overload",  # historical names
        "python-keyword",
        "size-typed-int",
        "unpaired-out",  # factories
        "unreachable-name",
        "view-return",
    }
)
"""What the namespaces of ATen may do: views, effects that PyTorch knows of, and names that are older than the rules."""

_COMPOSITE_MAY = frozenset({"view-return"})
"""What an op may do that is never seen by autograd and ``torch.compile``: its kernel is made of other ops."""

_REMEDIES = {
    "no-effect": (
        "mark what it writes with `!`, as in `Tensor(a!) dst`; for an effect outside of tensors register it in Python by "
        "`torch.library._register_effectful_op`"
    ),
    "tag-in-binary": "define the op in Python, `Library.define(…, tags=…)`, or make it a mutable one that returns `()`",
    "contract-tag": (
        "remove the tag, or mend the schema: `inplace` asks for `Tensor(a!) x` as the first argument and `Tensor(a!)` as "
        "the only return, `out` for keyword-only `Tensor(a!)` arguments that are all returned"
    ),
}
"""What to do in hand-written sources, where the remedy of a code speaks of keys of ``ops.yaml``."""

SCHEMA_RULES = tuple(
    rule
    for rule in RULES
    if rule.code.name in _MORE
    or (rule.check.__module__.split(".")[-2] in _CATEGORIES and rule.code.name not in _OF_GENERATED_CODE)
)


def schema_findings(joined: Joined) -> Iterator[Diagnostic]:
    """Yield what is wrong with the schemas themselves; one that two statements share, perhaps by a macro, is judged once."""
    seen = set()
    for defined in joined.definitions:
        place = defined.statement.schema.locate()
        key = (place.source.path, place.span, defined.name)
        if key in seen:
            continue
        seen.add(key)
        yield from (replace(error, op=defined.name) for error in defined.errors)
        if defined.op is not None:
            allowed = _CORE_MAY if defined.op.namespace in CORE else frozenset()
            allowed |= _COMPOSITE_MAY if joined.is_composite(defined) else frozenset()
            yield from (_placed(one, defined) for one in _judged(defined.op, defined.library, allowed))


def _judged(op: Op, library: Library, allowed: frozenset[str]) -> Iterator[Diagnostic]:
    for rule in SCHEMA_RULES:
        if rule.code.name not in allowed:
            for diagnostic in rule.check(op, library):
                yield replace(diagnostic, help=_REMEDIES.get(rule.code.name, diagnostic.help))


def _placed(diagnostic: Diagnostic, defined: Defined) -> Diagnostic:
    """Move what is said of a whole schema that was inferred to the call that holds `mutates_args` and tags."""
    statement = defined.statement
    if statement.inferred and diagnostic.location == statement.schema.locate():
        return replace(diagnostic, location=statement.location)
    return diagnostic
