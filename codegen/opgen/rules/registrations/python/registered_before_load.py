"""OPG573: a fake kernel that is registered before the binary which defines the op is loaded."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.examples import BINDINGS
from opgen.rules.registrations.rule import RegistrationRule, found_at, python

_LOAD = 'torch.ops.load_library("libmylib.so")'
_REGISTER = """@torch.library.register_fake("mylib::lift")
def _(x):
    return x.new_empty(x.shape)"""
_PYTHON = "import torch\n\n{}\n\n{}\n"

CODE = Code(
    id="OPG573",
    name="registered-before-load",
    severity=Severity.ERROR,
    summary="Python registers something for an op of a binary before the statement that loads the binary.",
    why=(
        "`register_fake`, `register_autograd` and similar functions look up the op immediately and raise while the "
        "module is imported."
    ),
    bad=python(_PYTHON.format(_REGISTER, _LOAD), BINDINGS),
    good=python(_PYTHON.format(_LOAD, _REGISTER), BINDINGS),
    remedy="call `torch.ops.load_library` first",
)


_ROLES = frozenset({"fake", "autograd", "autocast", "vmap"})


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare the positions of registrations and of the first ``load_library`` in a file, for ops defined in C++."""
    for joined_op in joined.ops.values():
        if not joined_op.definitions or any(one.statement.language != "cpp" for one in joined_op.definitions):
            continue
        for one in joined_op.implementations:
            if one.language != "python" or one.role not in _ROLES:
                continue
            loads = [load for load in joined.registrations.loads if load.location.source is one.location.source]
            first = min(loads, key=lambda load: load.location.span, default=None)
            if first is not None and one.location.span < first.location.span:
                message = (
                    f"this registers for '{joined_op.name}' before torch.ops.load_library has loaded what defines it"
                )
                note = Note("it is loaded here", first.location)
                yield found_at(CODE, joined_op.name, message, one.location, notes=(note,))


RULE = RegistrationRule(CODE, check)
