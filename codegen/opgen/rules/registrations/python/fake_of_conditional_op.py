"""OPG574: an unconditional fake kernel for an op that only some builds define."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from textwrap import indent

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.rules.registrations.joined import MOST_BESIDE, Joined, exclude_each_other
from opgen.rules.registrations.python.examples import BINDINGS
from opgen.rules.registrations.rule import RegistrationRule, found_at, python

_FAKE = """@torch.library.register_fake("mylib::lift")
def _(x):
    return x.new_empty(x.shape)
"""
_SOMETIMES = replace(
    BINDINGS, text=BINDINGS.text.replace("TORCH_LIBRARY(", "#ifdef WITH_LIFT\nTORCH_LIBRARY(") + "#endif\n"
)

CODE = Code(
    id="OPG574",
    name="fake-of-conditional-op",
    severity=Severity.WARNING,
    summary="Python registers something unconditionally for an op that C++ defines only in some builds.",
    why=(
        "In a build without the op `register_fake` raises, and the package can't be imported "
        "(flagos-ai/vllm-plugin-FL#250)."
    ),
    bad=python(f"import torch\n\n\n{_FAKE}", _SOMETIMES),
    good=python(
        'import torch\n\nif hasattr(torch.ops.mylib, "lift"):\n\n' + indent(_FAKE, "    "),
        _SOMETIMES,
    ),
    remedy='register it where the op exists: `if hasattr(torch.ops.mylib, "op"):`',
)


_ROLES = frozenset({"fake", "autograd", "autocast", "vmap"})


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report unconditional registrations for ops that are only defined under a condition."""
    for joined_op in joined.ops.values():
        statements = [one.statement for one in joined_op.definitions]
        if not statements or any(one.language != "cpp" or not one.conditions for one in statements):
            continue
        pairs = combinations(statements[:MOST_BESIDE], 2)
        if any(exclude_each_other(one.conditions, other.conditions) for one, other in pairs):
            continue  # both branches define it
        condition = statements[0].conditions[-1]
        for one in joined_op.implementations:
            if one.language == "python" and one.role in _ROLES and not one.conditions:
                namespace, _, name = joined_op.name.partition("::")
                message = (
                    f"the op exists only in builds with `{condition.text}`, but this registers for it in all of them"
                )
                help_ = (
                    f"register it where the op exists: `if hasattr(torch.ops.{namespace}, {name.partition('.')[0]!r}):`"
                )
                note = Note("it is defined here", statements[0].location)
                yield found_at(CODE, joined_op.name, message, one.location, help=help_, notes=(note,))


RULE = RegistrationRule(CODE, check)
