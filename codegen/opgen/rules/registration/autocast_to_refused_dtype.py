"""OPG547: autocast to a dtype that the contract of an argument doesn't allow."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.model.tensors import CheckDtype, DtypeSet
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.spec.dtypes import FLOAT, FLOAT8

CODE = Code(
    id="OPG547",
    name="autocast-to-refused-dtype",
    severity=Severity.WARNING,
    summary="`autocast` casts an argument to a dtype that `tensors` doesn't allow it to have.",
    why=(
        "Autocast casts every floating-point tensor except those in double precision, including scales and "
        "statistics (`cached_cast` in aten/src/ATen/autocast_mode.h). The checks run after the casts: each such call "
        "under `torch.autocast` is refused."
    ),
    bad=ops_yaml(
        "scale(Tensor x, Tensor factor) -> Tensor\n"
        'tensors: {x: "float [n]", factor: "float32 [n]", return: "x.dtype [n]"}\n'
        "autocast: lower_precision"
    ),
    good=ops_yaml(
        "scale(Tensor x, Tensor factor) -> Tensor\n"
        'tensors: {x: "float [n]", factor: "float [n]", return: "x.dtype [n]"}\n'
        "autocast: lower_precision"
    ),
    remedy="allow that dtype in `tensors`, or state another policy: `none` leaves arguments as they are",
)

_CAST = frozenset((*FLOAT, *FLOAT8, "float8_e8m0fnu")) - {"float64"}
_TARGETS = {
    "lower_precision": ("float16", "bfloat16"),
    "float32": ("float32",),
    "promote": ("float16", "bfloat16", "float32"),
}


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report arguments that may have floating-point dtypes, but none of those that autocast converts to."""
    policy = op.spec.autocast
    targets = _TARGETS.get(policy.value, ()) if policy is not None else ()
    if policy is None or not targets:
        return
    for step in op.tensors.steps:
        if isinstance(step.check, CheckDtype) and isinstance(step.check.dtype, DtypeSet):
            cast = [name for name in step.check.dtype.names if name in _CAST]
            if cast and not set(targets) & set(cast):
                to, allowed = " or ".join(targets), " or ".join(cast)
                message = (
                    f"autocast '{policy.value}' casts '{step.check.tensor}' to {to}, its contract asks for {allowed}"
                )
                yield finding(CODE, op, message, policy.locate() if "autocast" in op.spec.keys else None)


RULE = Rule(CODE, check, frozenset({"tensors"}), frozenset({Contract.FUNCTIONAL}))
