"""OPG200: two arguments in one alias set, one of them written."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import WRITING
from opgen.rules.marks import free_names
from opgen.rules.rule import Rule, finding, listed, ops_yaml, schema_fix
from opgen.schema.aliases import WILDCARD, alias_sets, is_written, kept_annotations

CODE = Code(
    id="OPG200",
    name="shared-alias-set",
    severity=Severity.ERROR,
    summary="A written argument shares its alias set with another argument.",
    why=(
        "A shared letter states that the arguments are one piece of memory. Functionalisation then hands the copy of "
        "one buffer to both, and one of the two results is lost. C++ accepts it silently "
        "(`SchemaTypeParser::parseAliasAnnotation` in `torch/csrc/jit/frontend/schema_type_parser.cpp`)."
    ),
    bad=ops_yaml("rope_pair(Tensor(a!) query, Tensor(a!) key, Tensor positions) -> ()"),
    good=ops_yaml("rope_pair(Tensor(a!) query, Tensor(b!) key, Tensor positions) -> ()"),
    remedy="give every written argument a letter of its own",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report alias sets of several arguments, at least one of which is written."""
    marked = [(argument, sets - {WILDCARD}) for argument in op.schema.arguments if (sets := alias_sets(argument))]
    if not marked[1:]:  # no other annotated argument
        return
    used = frozenset[str]().union(*(sets for _, sets in marked))
    for shared in sorted(used):
        members = [argument for argument, sets in marked if shared in sets]
        _, *later = members
        if not later or not any(map(is_written, members)):
            continue
        own = [f"({name}{'!' * is_written(one)})" for one, name in zip(later, free_names(used), strict=False)]
        edits = [(kept_annotations(one.type)[0].span, mark) for one, mark in zip(later, own, strict=True)]
        marks = ", ".join(f"`Tensor{mark} {one.name}`" for one, mark in zip(later, own, strict=True))
        # A return in the set may be any of them.
        is_returned = any(shared in alias_sets(result) for result in op.schema.returns)
        yield finding(
            CODE,
            op,
            f"arguments {listed(one.name for one in members)} share the alias set '{shared}' and one is written",
            later[0].type.span,
            help=f"give each its own letter: {marks}",
            fix=schema_fix(op, "give each its own letter", *edits, applicability="unsafe" if is_returned else "safe"),
        )


RULE = Rule(CODE, check, contracts=WRITING)
