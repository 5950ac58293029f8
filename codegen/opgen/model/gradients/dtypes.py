"""Decides by the dtypes in ``tensors`` which tensors may require grad."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model.op import Op, Output
from opgen.model.tensors import CheckDtype, DtypeLike, DtypeSet, ResolvedDtype
from opgen.schema.types import is_tensor, is_tensor_list
from opgen.spec.dtypes import DTYPES

_DIFFERENTIABLE = frozenset(name for name in DTYPES if name.startswith(("float", "bfloat", "complex")))
"""Source: ``isDifferentiableType`` in ``c10/core/ScalarType.h``."""


def may_require_grad(op: Op, argument: str) -> bool:
    """Whether a tensor argument may have a differentiable dtype."""
    return _may(op, DtypeLike(argument), frozenset())


def has_gradient(op: Op, output: Output) -> bool:
    """Whether a return may have a gradient: a tensor with a differentiable dtype in some case of its contract."""
    if not (is_tensor(output.type) or is_tensor_list(output.type)):
        return False
    form = op.tensors.outputs.get(output.name)
    return form is None or any(spec is not None and _may(op, spec.dtype, frozenset()) for _, spec in form.cases)


def _may(op: Op, dtype: ResolvedDtype, seen: frozenset[str]) -> bool:
    match dtype:
        case DtypeSet(names):
            return _any(names)
        case DtypeLike(tensor) if tensor not in seen:
            checks = [
                s.check.dtype for s in op.tensors.steps if isinstance(s.check, CheckDtype) and s.check.tensor == tensor
            ]
            return not checks or any(_may(op, each, seen | {tensor}) for each in checks)
    return True


def _any(names: Iterable[str]) -> bool:
    return not _DIFFERENTIABLE.isdisjoint(names)
