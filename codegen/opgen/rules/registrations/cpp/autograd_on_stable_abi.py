"""OPG842: C++ autograd in a library on the stable ABI."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.occurrences import autograd_functions
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG842",
    name="autograd-on-stable-abi",
    severity=Severity.ERROR,
    summary="A source with `STABLE_TORCH_LIBRARY` blocks derives from `torch::autograd::Function`.",
    why=(
        "The stable ABI has no autograd in C++: the class needs headers and symbols that change with every release of "
        "PyTorch, so the binary is not stable (deepmodeling/deepmd-kit#4896)."
    ),
    bad=cpp(
        "struct SquareFn : public torch::autograd::Function<SquareFn> {};\n"
        'STABLE_TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) x) -> ()"); }\n'
    ),
    good=cpp('STABLE_TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) x) -> ()"); }\n'),
    remedy="register the formula in Python, `torch.library.register_autograd`, or build against the classic ABI",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report C++ autograd functions in sources with ``STABLE_TORCH_LIBRARY`` blocks."""
    paths = dict.fromkeys(block.location.source.path for block in joined.registrations.blocks if block.abi == "stable")
    for path in paths:
        for function in autograd_functions(joined.registrations.sources[path]):
            message = f"'{function.name}' is a C++ autograd function, which the stable ABI has not"
            yield found_at(CODE, None, message, function.location)


RULE = RegistrationRule(CODE, check)
