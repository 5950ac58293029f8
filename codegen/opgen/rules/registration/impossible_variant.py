"""OPG511: a variant that can't be derived."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, listed, ops_yaml
from opgen.schema.types import is_plain_tensor

CODE = Code(
    id="OPG511",
    name="impossible-variant",
    severity=Severity.ERROR,
    summary="`autogen` asks for a form that the op does not determine.",
    why=(
        "An out= form needs outputs that are plain tensors. A functional form allocates what the op overwrites; state "
        "that it reads and writes has no value before the call. An in-place form needs one output that can stand in "
        "for the first argument."
    ),
    bad=ops_yaml("store(Tensor(a!)[] caches, Tensor item) -> ()\nautogen: [store.out]"),
    good=ops_yaml("store(Tensor(a!)[] caches, Tensor item) -> ()"),
    remedy="remove it from `autogen`, or declare the roles of written arguments (`overwrites`, `scratch`)",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Say of each requested variant why it can't be."""
    for name in op.spec.autogen:
        reason = _reason(op, name.value)
        if reason:
            message = f"`{name.value}` can't be derived from this op: {reason}"
            yield finding(CODE, op, message, name.locate())


def _reason(op: Op, variant: str) -> str:
    base, _, overload = variant.partition(".")
    state = [argument.name for argument in op.written if not (argument.overwrites or argument.scratch)]
    if op.contract in {Contract.VIEW, Contract.IRREGULAR}:
        return f"it is {op.contract.value}"
    if base == op.name and (overload == "out" or overload.endswith("_out")):
        return _why_no_out(op, state)
    if base == op.name and "functional" in overload:
        return _state(state) if op.contract is Contract.MUTABLE else ""
    if base == f"{op.name}_" and not overload:
        return _why_no_inplace(op)
    return f"the forms of `{op.name}` are `{op.name}.out`, `{op.name}.functional` and `{op.name}_`"


def _state(names: list[str]) -> str:
    return f"{listed(names)} is state, which is read as well (or lacks its role under `overwrites`)" if names else ""


def _why_no_out(op: Op, state: list[str]) -> str:
    other = [argument.name for argument in op.written if not is_plain_tensor(argument.type)]
    other += [output.name for output in op.fresh_outputs if not is_plain_tensor(output.type)]
    if other:
        return f"{listed(other)} is not a plain Tensor, so it can't be an out= buffer"
    if op.contract is Contract.MUTABLE:
        return _state(state)
    return "" if op.outputs else "it has no output"


def _why_no_inplace(op: Op) -> str:
    first = op.schema.arguments[0] if op.schema.arguments else None
    if first is None or first.kwarg_only or not is_plain_tensor(first.type):
        return "its first argument is not a plain Tensor"
    if op.contract is Contract.MUTABLE or len(op.outputs) != 1 or not is_plain_tensor(op.outputs[0].type):
        return "it has not one plain Tensor as output"
    return ""


RULE = Rule(CODE, check, reads=frozenset({"overwrites", "scratch"}))
