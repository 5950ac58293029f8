"""The reasons why a form can't be derived."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from opgen.model.contract import Contract
from opgen.model.family.entries import entry_of
from opgen.model.family.names import Form
from opgen.model.family.roles import Roles
from opgen.model.op import Op
from opgen.model.tensors import CheckDtype, DtypeLike, DtypeSet, OutputChoice, OutputSpec, ResolvedDtype
from opgen.schema.types import is_plain_tensor
from opgen.spec.tensor_spec import TensorSpec


class Refusal(NamedTuple):
    """A reason, which ends the sentence of a diagnostic, and the remedy; if empty, the remedy of the code is shown."""

    reason: str
    help: str = ""


def refusals(roles: Roles, form: Form) -> Iterator[Refusal]:
    """Yield the reasons in schema, roles and kernels against a form, the most helpful first."""
    op = roles.op
    yield from _kernels(op)
    if roles.state:
        reason = f"{_listed(roles.state)} is state, which is read as well (or lacks its role under `overwrites`)"
        yield Refusal(
            reason, "list what is only filled under `overwrites`, workspace under `scratch`; state has no other form"
        )
    if op.contract is Contract.MUTABLE and op.outputs:
        yield Refusal("it returns values beside those that it writes", "overwrite an argument for each of them")
    written = [argument for argument in op.written if not is_plain_tensor(argument.type)]
    yield from _plain([argument.name for argument in written if argument.scratch], "made as scratch")
    others = [argument.name for argument in written if not argument.scratch]
    others += [output.name for output in op.fresh_outputs if not is_plain_tensor(output.type)]
    yield from _plain(others, "an out= buffer" if form is Form.OUT else "made for the result")
    if not roles.destinations:
        yield Refusal("it has no output", "name what it fills under `overwrites`" if op.written else "")
    if form is Form.INPLACE and roles.first is None:
        yield Refusal("its first argument is not a plain Tensor", "put the tensor that is to be written first")
    if form is Form.INPLACE and len(roles.destinations) > 1:
        count = len(roles.destinations)
        yield Refusal(f"it has {count} outputs, and an in-place form returns one tensor", "remove it from `autogen`")


def contract_refusals(roles: Roles, form: Form, allocating: Op) -> Iterator[Refusal]:
    """Yield the reasons in the tensor contract against a form.

    Args:
        roles: the roles of the declared op.
        form: the form that is asked for.
        allocating: the form that returns everything the kernel fills.
    """
    for name in (*roles.destinations, *roles.scratch):
        spec = allocating.tensors.outputs.get(name)
        what = "scratch" if name in roles.scratch else "output"
        if spec is None:
            key = name if name in roles.op.argument else "return"
            yield Refusal(
                f"{what} '{name}' has no contract",
                f"state dtype and sizes of '{key}' under `tensors`, so that it can be made",
            )
        elif isinstance(spec, OutputChoice):
            yield Refusal(
                f"how {what} '{name}' is made depends on a condition", "declare the form with a kernel of its own"
            )
        elif spec.is_dynamic:
            yield Refusal(
                f"a size of {what} '{name}' is known only after the kernel has run", "remove it from `autogen`"
            )
        elif spec.strides_of is not None and name in roles.op.argument:
            yield Refusal(
                f"the strides of '{name}' are those of '{spec.strides_of}', which a fresh tensor can't always have",
                f"state another layout of '{name}'",
            )
    if form is Form.INPLACE and roles.first is not None:
        yield from _unlike_first(roles, roles.first.name, allocating)


def _kernels(op: Op) -> Iterator[Refusal]:
    if op.spec.registered is not None:
        yield Refusal("its kernels are registered by hand", "register this one there too, and declare it")
    if any(kernel.allocates for kernel in op.kernels):
        yield Refusal(
            "a kernel that allocates its results can't fill others", "let the kernel fill outputs, without `allocates`"
        )
    if any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels):
        yield Refusal("an implicit composite has no kernel of its own", "use the key CompositeExplicitAutograd")
    if op.schema.is_vararg or op.schema.is_varret:
        yield Refusal("it takes or returns `...`")


def _plain(names: list[str], use: str) -> Iterator[Refusal]:
    if names:
        reason = f"{_listed(names)} is not a plain Tensor, so it can't be {use}"
        yield Refusal(reason, "remove it from `autogen`, or declare this form with a kernel of its own")


def _unlike_first(roles: Roles, first: str, allocating: Op) -> Iterator[Refusal]:
    """Yield the differences between the output and the first argument, which an in-place form would overwrite."""
    (name,) = roles.destinations
    mine, its = entry_of(roles.op, first), entry_of(roles.op, name)
    remedy = f"give the output the contract of '{first}', or declare the in-place op with a kernel of its own"
    if mine is None or its is None:
        yield Refusal(f"argument '{first}' has no contract", f"state dtype and sizes of '{first}' under `tensors`")
        return
    if not isinstance(mine.form, TensorSpec) or not isinstance(its.form, TensorSpec):
        yield Refusal(f"the contract of '{first}' or of the output depends on a condition", remedy)
        return
    if mine.form.shapes != its.form.shapes or len(mine.form.shapes) > 1:
        yield Refusal(f"output '{name}' has not always the shape of argument '{first}'", remedy)
    made = allocating.tensors.outputs.get(name)
    if isinstance(made, OutputSpec) and _root(made.dtype, allocating) != _root(DtypeLike(first), allocating):
        yield Refusal(f"output '{name}' has not always the dtype of argument '{first}'", remedy)
    if its.form.device not in (None, mine.form.device) and first not in its.form.device.names:
        yield Refusal(f"output '{name}' is not always on the device of argument '{first}'", remedy)


def _root(dtype: ResolvedDtype, op: Op) -> ResolvedDtype:
    """Follow ties (``x.dtype``) to a dtype, or to the tensor at their end."""
    if isinstance(dtype, DtypeLike):
        for step in op.tensors.steps:
            check = step.check
            if isinstance(check, CheckDtype) and check.tensor == dtype.tensor and not (step.given or step.each):
                is_one = isinstance(check.dtype, DtypeSet) and len(check.dtype.names) == 1
                if is_one or (isinstance(check.dtype, DtypeLike) and check.dtype != dtype):
                    return _root(check.dtype, op)
    return dtype


def _listed(names: Iterable[str]) -> str:
    *others, last = (f"'{name}'" for name in names)
    return f"{', '.join(others)} and {last}" if others else last
