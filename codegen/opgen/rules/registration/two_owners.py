"""OPG515: an op that is registered by hand, and generated."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.source import Text

CODE = Code(
    id="OPG515",
    name="two-owners",
    severity=Severity.ERROR,
    summary="An op is `registered` by hand but also states how it is to be generated.",
    why=(
        "Schema, tags and kernels of such an op are in its source file. Anything that opgen registered in addition "
        "would be a second definition, which PyTorch rejects when the package is imported."
    ),
    bad=ops_yaml("scale(Tensor x) -> Tensor\nregistered: csrc/bindings.cpp\ndispatch: {CPU: cpp}"),
    good=ops_yaml("scale(Tensor x) -> Tensor\ndispatch: {CPU: cpp}"),
    remedy="leave one of the two out: `registered` until the op moves to opgen, then the other",
)

_GENERATED = ("dispatch", "pointwise", "reduce", "autogen", "autograd", "autocast", "vmap", "resize_out", "tags", "abi")


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the keys of one entry with `registered`; keys from `defaults` are not compared."""
    if "registered" in op.spec.keys:
        for key in _GENERATED:
            if key in op.spec.keys and not (key == "autograd" and _is_none(op.spec.autograd)):
                yield finding(CODE, op, f"`registered` and `{key}` exclude each other", op.spec.keys[key])


def _is_none(autograd: object) -> bool:
    return isinstance(autograd, Text) and autograd.value == "none"


RULE = Rule(CODE, check)
