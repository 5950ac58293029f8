"""OPG571: an op with two fake kernels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.readers.registrations import Implementation
from opgen.rules.registrations.joined import Joined, exclude_each_other
from opgen.rules.registrations.python.examples import gate
from opgen.rules.registrations.rule import RegistrationRule, found_at

CODE = Code(
    id="OPG571",
    name="fake-owners",
    severity=Severity.WARNING,
    summary="An op has two fake kernels: in C++ for the key `Meta` and in Python, or twice in one language.",
    why=(
        "They must always agree, but nothing compares them: the one that is registered later takes effect, or the "
        "import of the package raises (intel/torch-xpu-ops#1545; `FakeImplHolder.register` in "
        "`torch/_library/fake_impl.py`)."
    ),
    bad=gate('LIBRARY.impl("gate", lambda x, mask: x.new_empty(x.shape), "Meta")\n'),
    good=gate(),
    remedy="remove one of the two",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report a second fake kernel that the same process can have."""
    for joined_op in joined.ops.values():
        fakes = [one for one in joined_op.implementations if one.role == "fake" or "Meta" in one.keys]
        for first, second in pairwise(fakes):
            # A helper that registers both in one call does so on purpose.
            is_one_call = first.location == second.location
            excluded = exclude_each_other(first.conditions, second.conditions)
            if second.language == "python" and not is_one_call and not excluded:
                message = (
                    f"the op has two fakes: this one, and {_described(first)}; the later one wins, or the import raises"
                )
                note = Note("the other one is registered here", first.location)
                yield found_at(CODE, joined_op.name, message, second.location, notes=(note,))


def _described(fake: Implementation) -> str:
    where = "C++" if fake.language == "cpp" else "Python"
    return f"a {where} fake" if fake.role == "fake" else f"a {where} kernel for the key Meta"


RULE = RegistrationRule(CODE, check)
