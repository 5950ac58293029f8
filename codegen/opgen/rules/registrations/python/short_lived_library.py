"""OPG565: a ``torch.library.Library`` that is garbage-collected, and its registrations with it."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, found_at, python

CODE = Code(
    id="OPG565",
    name="short-lived-library",
    severity=Severity.ERROR,
    summary="A `torch.library.Library` object is destroyed while its registrations are still needed.",
    why=(
        "A finalizer removes everything that was defined and implemented through it (`_del_library` in "
        "`torch/library.py`): the op is gone when the function returns."
    ),
    bad=python(
        """import torch


def register():
    library = torch.library.Library("mylib", "FRAGMENT")
    library.define("lift(Tensor(a!) x) -> ()")
    library.impl("lift", lambda x: x.add_(1) and None, "CPU")


register()
"""
    ),
    good=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "FRAGMENT")


def register():
    LIBRARY.define("lift(Tensor(a!) x) -> ()")
    LIBRARY.impl("lift", lambda x: x.add_(1) and None, "CPU")


register()
"""
    ),
    remedy="keep the object in a variable of the module",
)

_ENDS = {
    "local": "is local to its function and dies when that returns",
    "unbound": "is kept by nothing and dies at once",
    "rebound": "dies when its name is bound anew",
    "deleted": "dies when its name is deleted",
}


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report what the reader found; a `_scoped_library` is short-lived on purpose."""
    for one in joined.registrations.short_lived:
        if one.end != "scoped":
            name = f"'{one.name}'" if one.name else "the object"
            message = f"the library {name} {_ENDS[one.end]}, and its registrations with it"
            yield found_at(CODE, None, message, one.location)


RULE = RegistrationRule(CODE, check)
