"""OPG522: an in-place or out= op that is defined without its tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.model.tags import CONTRACT_TAGS
from opgen.readers.registrations import Definition
from opgen.rules.registrations.joined import CORE, Defined, Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.source import Location, Span

CODE = Code(
    id="OPG522",
    name="missing-tag",
    severity=Severity.ERROR,
    summary="An op returns an argument that it writes, but is defined without `Tag.inplace` or `Tag.out`.",
    why=(
        "Without the tag, PyTorch assumes that the op returns an alias by mistake: it can't be functionalised, and "
        "`torch.compile` and `torch.export` raise (pytorch/pytorch#184201). `m.def` itself checks nothing. The tags "
        'exist from torch 2.13 ("Choosing the kind of custom op", `torch/library.py`).'
    ),
    bad=cpp('TORCH_LIBRARY(mylib, m) {\n  m.def("halve_(Tensor(a!) x) -> Tensor(a!)");\n}\n'),
    good=cpp('TORCH_LIBRARY(mylib, m) {\n  m.def("halve_(Tensor(a!) x) -> Tensor(a!)", {at::Tag::inplace});\n}\n'),
    remedy="give the tag where the op is defined, or return `()`",
)
_SAID_BY_STABLE_ABI = "stable"  # `tag-in-binary`: there the tag can't be given


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report ops without the tag of their contract; not PyTorch's own ops and composite ones, which need none."""
    for one in joined.definitions:
        tag = None if one.op is None else CONTRACT_TAGS.get(one.op.contract)
        if one.op is None or tag is None or {each.value for each in one.statement.tags} & {"inplace", "out"}:
            continue
        in_stable = one.statement.language == "cpp" and one.statement.abi == _SAID_BY_STABLE_ABI
        if in_stable or one.op.namespace in CORE or joined.is_composite(one) or _has_rule(joined, one):
            continue
        spelled = f"{{at::Tag::{tag}}}" if one.statement.language == "cpp" else f"tags=torch.Tag.{tag}"
        message = f"the op is {one.op.contract.value} by its schema, but has no tag '{tag}'"
        help_ = f"add `{spelled}`, which exists from torch 2.13; for older ones return `()`"
        yield found_at(CODE, one.name, message, one.statement.location, help=help_, fix=_fix(one.statement, tag))


def _fix(statement: Definition, tag: str) -> Fix | None:
    """Return a fix that adds the tag to existing ones, or behind a schema that is the only argument."""
    if statement.tags:
        first = statement.tags[0].locate()
        edit = Edit(Location(first.source, Span(first.span.start, first.span.start)), f"{tag}, at::Tag::")
        is_list = statement.language == "cpp" and first.source.text[: first.span.start].endswith("at::Tag::")
        return Fix(f"add the tag '{tag}'", (edit,), "unsafe") if is_list else None
    source, (_, end) = statement.location.source, statement.location.span
    schema = statement.schema.locate().span
    between = source.text[schema.end : end]
    added = f", {{at::Tag::{tag}}}" if statement.language == "cpp" else f", tags=torch.Tag.{tag}"
    if statement.form not in {"m.def", "define"} or not re.fullmatch(r"""\)?\w{0,16}["']{1,3}\s*\)""", between):
        return None
    return Fix(f"add the tag '{tag}'", (Edit(Location(source, Span(end - 1, end - 1)), added),), "unsafe")


def _has_rule(joined: Joined, defined: Defined) -> bool:
    """Whether a live op has a rule for `FunctionalTensorMode`, as ops of generated packages have."""
    made = joined.ops[defined.name].implementations if defined.name else ()
    return any(one.role == "torch_dispatch" and one.language == "live" for one in made)


RULE = RegistrationRule(CODE, check)
