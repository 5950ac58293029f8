"""OPG508: a tag of a contract that a definition in C++ can't set on the stable ABI."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.model.tags import CONTRACT_TAGS
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG508",
    name="tag-in-binary",
    severity=Severity.ERROR,
    summary="An in-place or out= op is defined only in C++, on the stable ABI.",
    why=(
        'The stable definition call has no `Tag::inplace` and `Tag::out` up to torch 2.14: the process ends with "Not '
        'yet supported Tag". Without its tag the op does not export.'
    ),
    bad=ops_yaml("scaled.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", head="define_in: cpp\n"),
    good=ops_yaml("scaled.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", head="define_in: both\n"),
    remedy=(
        "write `define_in: both`: the Python package gives the tag, and a library of definitions serves processes without "
        "Python; or make the op a mutable one that returns `()`"
    ),
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Report ops whose contract has a tag."""
    if library.spec.define_in == "cpp" and op.abi == "stable":
        tag = CONTRACT_TAGS[op.contract]
        message = f"a definition in C++ on the stable ABI can't give the tag '{tag}' to this {op.contract.value} op"
        yield finding(CODE, op, message)


RULE = Rule(CODE, check, reads=frozenset({"abi", "define_in"}), contracts=frozenset(CONTRACT_TAGS))
