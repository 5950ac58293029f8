"""OPG572: a fake kernel for a CompositeImplicitAutograd op, which PyTorch decomposes anyway."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.rules.registrations.joined import Joined, JoinedOp
from opgen.rules.registrations.python.examples import gate
from opgen.rules.registrations.rule import RegistrationRule, found_at
from opgen.source import Location

CODE = Code(
    id="OPG572",
    name="composite-with-fake",
    severity=Severity.ERROR,
    summary="An op with a composite kernel (in C++, a function passed to the definition) has a fake in Python.",
    why=(
        "`register_fake` raises for such an op: tracing goes through its kernel, so the fake would never run "
        "(`FakeImplHolder.register` in `torch/_library/fake_impl.py`). Often the key was not intended: `m.def` with "
        "a function, and `impl` without a key, mean `CompositeImplicitAutograd`."
    ),
    bad=gate(key="CompositeImplicitAutograd"),
    good=gate(),
    remedy="implement the op for its backends, `m.impl` in a block for CPU or CUDA, or remove the fake",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report composite kernels of ops with a fake kernel in Python."""
    for joined_op in joined.ops.values():
        fake = next((one for one in joined_op.implementations if one.role == "fake"), None)
        if fake is not None:
            for place in _composites(joined_op):
                message = "the kernel makes the op a composite (CompositeImplicitAutograd), for which no fake can be registered"
                note = Note("the fake is registered here", fake.location)
                yield found_at(CODE, joined_op.name, message, place, notes=(note,))


def _composites(joined_op: JoinedOp) -> Iterator[Location]:
    for defined in joined_op.definitions:
        if defined.statement.language == "cpp" and defined.statement.function is not None:
            yield defined.statement.location
    for one in joined_op.implementations:
        if "CompositeImplicitAutograd" in one.keys:
            yield one.location


RULE = RegistrationRule(CODE, check)
