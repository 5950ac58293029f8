"""OPG741: kernels have to be changed."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.cpp import cpp_function
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.model.op import Op
from opgen.targets.cpp.signature import kernel_signature

CODE = Code(
    id="OPG741",
    name="changed-kernel",
    severity=Severity.INFO,
    summary="A compiled kernel has to take or return something else, although its callers see no change.",
    why=(
        "An output with a contract is allocated before the kernel runs and passed to it; an output without one is "
        "returned by the kernel. Kernels of the op that are kept elsewhere, by `symbol` or in a branch, fail to "
        "compile at the signature assertion."
    ),
    remedy="change the kernels together with the declaration",
    bad=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '+    tensors: {x: "float [n]", return: "x.dtype [n]"}',
    ),
    good=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '+    tensors: {x: "float [*batch, n]", return: "x.dtype [*batch, n]"}',
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield ops of which the kernel on some key is another function, where C++ callers are not told so anyway."""
    if pair.new.is_derived or cpp_function(pair.old.schema) != cpp_function(pair.new.schema):
        return
    old, new = _functions(pair.old), _functions(pair.new)
    for was, now in {(old[key], new[key]) for key in old.keys() & new.keys() if old[key] != new[key]}:
        message = f"compiled kernels were {was}, and have to be {now}"
        yield changed(CODE, pair, message, [Category.CXX])


def _functions(op: Op) -> dict[str, str]:
    """Return the types of the compiled kernels by dispatch key; none for types that the ABI lacks."""
    try:
        signatures = {kernel.dispatch_key: kernel_signature(op, kernel) for kernel in op.kernels if kernel.is_compiled}
    except ValueError:
        return {}
    return {
        key: f"{signature.result}({', '.join(parameter.type for parameter in signature.parameters)})"
        for key, signature in signatures.items()
    }
