"""OPG570: an op with kernels but without a fake kernel, so that it can't be traced."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import CORE, Joined, JoinedOp
from opgen.rules.registrations.macros import macro_of
from opgen.rules.registrations.python.examples import gate
from opgen.rules.registrations.rule import RegistrationRule, found_at
from opgen.schema.types import returns_none

CODE = Code(
    id="OPG570",
    name="fake-missing",
    severity=Severity.WARNING,
    summary="An op returns fresh values and has no fake kernel, neither in C++ (key `Meta`) nor in Python.",
    why=(
        "`torch.compile` and `torch.export` run fake kernels to learn sizes and dtypes; without one the op works in "
        "eager mode only. An op that returns nothing, or only what it has written, needs none "
        "(`can_generate_trivial_fake_impl` in `torch/_library/utils.py`); neither do composites, which are traced "
        "through."
    ),
    bad=gate(fake=""),
    good=gate(),
    remedy="register a fake in Python by `torch.library.register_fake`, or a kernel for the key Meta in C++",
)


_TRACED = frozenset(
    {"Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"}
)
"""Dispatch keys whose kernels run when an op is traced, so that no fake kernel is needed."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report ops with fresh results and no fake kernel, unless there are fakes that could not be read.

    Ops that a declaration has as `registered` are left out: their fake is generated, or reported there as missing.
    """
    for joined_op in joined.ops.values():
        op = joined_op.op
        if op is None or op.namespace in CORE or joined_op.name in joined.declared:
            continue
        if lacks_fake(joined_op) and knows_fakes(joined, joined_op.name):
            statement = joined_op.definitions[0].statement
            message = "no fake kernel, so torch.compile and torch.export can't trace it"
            help_ = f"register one: `@torch.library.register_fake({chr(34)}{joined_op.name}{chr(34)})`"
            if joined.has_cpp:
                help_ += ", or a kernel for the key Meta in C++"
            yield found_at(CODE, joined_op.name, message, statement.location, help=help_)


def knows_fakes(joined: Joined, name: str) -> bool:
    """Whether every fake kernel that an op may have was read.

    It wasn't if one is for an op of unknown name, or in an unread Python module; nor if the op's namespace is a macro that only
    the build expands, and an op of the same name has a fake kernel in a namespace without definitions.
    """
    namespace, _, plain = name.partition("::")
    if any("the name of the op" in one.reason for one in joined.registrations.unread):
        return False
    if macro_of(namespace) and plain in joined.fakes_elsewhere:
        return False
    return joined.has_python or all(one.namespace != namespace for one in joined.registrations.python_modules)


def lacks_fake(joined_op: JoinedOp) -> bool:
    """Whether an op returns fresh values, and no statement that was read makes them when it is traced."""
    op = joined_op.op
    if op is None or _is_traced(joined_op):
        return False
    results = zip(op.outputs, op.schema.returns, strict=True)
    return any(output.alias_of is None and not returns_none(result) for output, result in results)


def _is_traced(joined_op: JoinedOp) -> bool:
    for defined in joined_op.definitions:
        statement = defined.statement
        # A function passed to `m.def` makes a composite op; the function of `triton_op` is traced itself.
        if statement.form == "triton_op" or (statement.language == "cpp" and statement.function is not None):
            return True
    return any(one.role == "fake" or not _TRACED.isdisjoint(one.keys) for one in joined_op.implementations)


RULE = RegistrationRule(CODE, check)
