"""OPG568: a formula that reads saved values from its context, registered without ``setup_context``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.python.places import FunctionNode
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.examples import scale
from opgen.rules.registrations.python.formulas import formulas
from opgen.rules.registrations.rule import RegistrationRule, found_at
from opgen.rules.rule import listed

CODE = Code(
    id="OPG568",
    name="missing-setup-context",
    severity=Severity.ERROR,
    summary="A backward formula reads something from `ctx` that no `setup_context` has stored there.",
    why=(
        "Only `setup_context` can save inputs and results for the formula (the `torch.library.register_autograd` "
        "page). Without it `ctx.saved_tensors` is empty, and every other attribute raises in the backward pass."
    ),
    bad=scale(setup="", registered=""),
    good=scale(),
    remedy="register a function that keeps it: `register_autograd(backward, setup_context=setup_context)`",
)


_OWN = frozenset({"needs_input_grad", "materialize_grads", "set_materialize_grads", "metadata"})
"""Attributes that every context has."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the attributes that a formula reads from its first parameter, the context."""
    for formula in formulas(joined):
        if formula.setup_context is not None or formula.backward is None or not formula.backward.parameters:
            continue
        if any(one.role == "setup_context" for one in joined.ops[formula.op.qualified_name].implementations):
            continue
        node, context = formula.backward.node, formula.backward.parameters[0].name
        if isinstance(node, FunctionNode) and (missing := _read(node, context)):
            message = f"the formula reads {listed(missing)} of '{context}', but there is no setup_context that sets it"
            yield found_at(CODE, formula.op.qualified_name, message, formula.backward.location)


def _read(function: ast.AST, context: str) -> list[str]:
    """Return the attributes that are read and not set."""
    read: dict[str, None] = {}
    written: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=use) if name == context:
                if isinstance(use, ast.Load):
                    read[attribute] = None
                else:
                    written.add(attribute)
    return [attribute for attribute in read if attribute not in written | _OWN]


RULE = RegistrationRule(CODE, check)
