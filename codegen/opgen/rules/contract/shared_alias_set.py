"""OPG200: two arguments in one alias set, one of them written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, listed, ops_yaml, schema_fix
from opgen.schema.aliases import WILDCARD, alias_sets, is_written, kept_annotations

CODE = Code(
    id="OPG200",
    name="shared-alias-set",
    severity=Severity.ERROR,
    summary="A written argument shares its alias set with another argument.",
    why=(
        "One letter says that the arguments are one piece of memory. Functionalisation then hands the copy of one "
        "buffer to both, and one of the two results is lost. C++ accepts it without a word "
        "(`SchemaTypeParser::parseAliasAnnotation` in `torch/csrc/jit/frontend/schema_type_parser.cpp`)."
    ),
    bad=ops_yaml("rope_pair(Tensor(a!) query, Tensor(a!) key, Tensor positions) -> ()"),
    good=ops_yaml("rope_pair(Tensor(a!) query, Tensor(b!) key, Tensor positions) -> ()"),
    remedy="give every written argument a letter of its own",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare each pair of arguments, of which one at least is written."""
    if not op.written:
        return
    marked = [(argument, sets) for argument in op.schema.arguments if (sets := alias_sets(argument) - {WILDCARD})]
    used = frozenset[str]().union(*(sets for _, sets in marked))
    free = next((letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter not in used), "x0")
    for (first, its_sets), (second, sets) in combinations(marked, 2):
        shared = its_sets & sets
        if shared and (is_written(first) or is_written(second)):
            mark = "!" if is_written(second) else ""
            place = next(kept_annotations(second.type)).span
            # A return in the set may mean either of the two.
            is_returned = any(alias_sets(result) & shared for result in op.schema.returns)
            yield finding(
                CODE,
                op,
                f"arguments {listed((first.name, second.name))} share the alias set '{min(shared)}' and one is written",
                second.type.span,
                help=f"give each its own letter: `Tensor({free}{mark}) {second.name}`",
                fix=schema_fix(
                    op,
                    f"give '{second.name}' the letter '{free}'",
                    (place, f"({free}{mark})"),
                    applicability="unsafe" if is_returned else "safe",
                ),
            )


RULE = Rule(CODE, check)
