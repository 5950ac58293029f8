"""OPG841: an array view (``IntHeaderOnlyArrayRef``) of a temporary list, which is destroyed before the view."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.occurrences import occurrences
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG841",
    name="dangling-array-view",
    severity=Severity.ERROR,
    summary="A variable that only points to an array is initialised with a braced list.",
    why=(
        "`ArrayRef` and `HeaderOnlyArrayRef` don't own their elements. The list lives until the end of the "
        "statement; afterwards the variable points to freed stack memory, and sizes are garbage "
        "(vllm-project/vllm#33591)."
    ),
    bad=cpp(
        "void f(int64_t rows, int64_t cols) {\n"
        "  torch::headeronly::IntHeaderOnlyArrayRef shape = {rows, cols};\n"
        "}\n"
        'STABLE_TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) x) -> ()"); }\n'
    ),
    good=cpp(
        "void f(int64_t rows, int64_t cols) {\n"
        "  std::array<int64_t, 2> shape = {rows, cols};\n"
        "}\n"
        'STABLE_TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) x) -> ()"); }\n'
    ),
    remedy="keep the numbers in an array of their own: `std::array<int64_t, 2> shape = {…};`",
)
_VIEW = re.compile(
    r"(?<!\w)(?<!\w::)(?:\w+::)*(?P<type>(?:Sym)?Int(?:HeaderOnly)?ArrayRef|(?:HeaderOnly)?ArrayRef\s*<[^;{}()]{0,999}>)\s+(?P<name>\w+)\s*"
    r"(?:(?:=\s*)?(?:\(\s*)?\{\s*[^\s}]"
    r"|(?:=\s*|[({]\s*)(?:std::)?(?:vector|array)\s*<[^;{}()]{0,999}>\s*[({]"
    r"|(?:=\s*|[({]\s*)[\w.\->()]+(?:\.|->)vec\(\)\s*[)}]?;)"
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the variable declarations in all C++ sources."""
    for source in joined.registrations.sources.values():
        if "ArrayRef" in source.text and not source.path.endswith((".py", ".pyi")):
            for match, place in occurrences(source, _VIEW):
                name = match["name"]
                message = f"'{name}' points into a list that ends with this statement: {match['type']} owns nothing"
                yield found_at(CODE, None, message, place)


RULE = RegistrationRule(CODE, check)
