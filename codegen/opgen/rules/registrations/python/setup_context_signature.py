"""OPG567: a `setup_context` whose parameters do not fit the call ``setup_context(ctx, inputs, output)``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.examples import SETUP_CONTEXT, scale
from opgen.rules.registrations.python.formulas import formulas
from opgen.rules.registrations.rule import RegistrationRule, found_at
from opgen.rules.rule import listed

CODE = Code(
    id="OPG567",
    name="setup-context-signature",
    severity=Severity.ERROR,
    summary="A `setup_context` function has other parameters than PyTorch passes.",
    why=(
        "It is called by name with `ctx`, `inputs` and `output`, and for an op with keyword-only arguments also with "
        "`keyword_only_inputs` (`make_autograd_impl` in `torch/_library/autograd.py`). Anything else raises in the "
        "first call that needs a gradient."
    ),
    bad=scale(setup=SETUP_CONTEXT.replace("output", "keyword_only_inputs, output")),
    good=scale(),
    remedy="write `def setup_context(ctx, inputs, output)`, with `keyword_only_inputs` in front of `output` if the op has a `*`",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare the names of the parameters with those of the call."""
    for formula in formulas(joined):
        function = formula.setup_context
        if function is None or function.parameters is None:
            continue
        has_keyword_only = any(argument.kwarg_only for argument in formula.op.schema.arguments)
        given = ["ctx", "inputs", *(["keyword_only_inputs"] if has_keyword_only else []), "output"]
        names = [one.name for one in function.parameters if one.kind in {"positional", "keyword_only"}]
        needed = [one.name for one in function.parameters if one.name in names and one.default is None]
        lacks = (
            [] if any(one.kind == "keywords" for one in function.parameters) else [n for n in given if n not in names]
        )
        superfluous = [name for name in needed if name not in given]
        if lacks or superfluous:
            parts = [
                f"has no parameter {listed(lacks)}" if lacks else "",
                f"asks for {listed(superfluous)}" if superfluous else "",
            ]
            reason = "with" if has_keyword_only else "without"
            message = (
                f"setup_context of an op {reason} keyword-only arguments is called with {listed(given)}, "
                f"by name; this one {' and '.join(filter(None, parts))}"
            )
            help_ = f"write `def {function.name or 'setup_context'}({', '.join(given)})`"
            yield found_at(CODE, formula.op.qualified_name, message, function.location, help=help_)


RULE = RegistrationRule(CODE, check)
