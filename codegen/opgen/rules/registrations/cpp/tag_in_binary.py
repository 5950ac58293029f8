"""OPG508: a tag that a stable-ABI definition can't give."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.tags import CONTRACT_TAGS
from opgen.rules.registrations.joined import CORE, Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG508",
    name="tag-in-binary",
    severity=Severity.ERROR,
    summary="An in-place or out= op is defined in C++ on the stable ABI.",
    why=(
        'The stable definition call has no `Tag::inplace` and `Tag::out` up to torch 2.14: the process ends with "Not '
        'yet supported Tag". Without its tag the op does not export.'
    ),
    bad=cpp('STABLE_TORCH_LIBRARY(mylib, m) {\n  m.def("halve_(Tensor(a!) x) -> Tensor(a!)");\n}\n'),
    good=cpp('STABLE_TORCH_LIBRARY(mylib, m) {\n  m.def("halve(Tensor(a!) x) -> ()");\n}\n'),
    remedy="define the op in Python, `Library.define(…, tags=…)`, or make it a mutable one that returns `()`",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Look for contracts that have a tag."""
    for one in joined.definitions:
        tag = None if one.op is None else CONTRACT_TAGS.get(one.op.contract)
        in_stable = one.statement.language == "cpp" and one.statement.abi == "stable"
        if one.op is not None and tag is not None and in_stable and one.op.namespace not in CORE:
            message = f"a definition on the stable ABI can't give the tag '{tag}' to this {one.op.contract.value} op"
            yield found_at(CODE, one.name, message, one.statement.schema.locate())


RULE = RegistrationRule(CODE, check)
