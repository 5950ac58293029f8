"""Codes of mistakes in ``ops.yaml``: in keys, in the forms of values, and in ``include``."""

from __future__ import annotations

from opgen.diagnostics.codes import Code, Example, Severity


def _library(entry: str = "", head: str = "") -> Example:
    """Return a library of one op, with further lines at the top level (``head``) and in the op (``entry``)."""
    lines = [
        "opgen: 1",
        "namespace: mylib",
        *filter(None, [head]),
        "ops:",
        "  - func: scale(Tensor x, float by) -> Tensor",
    ]
    lines += [f"    {line}" for line in ['tensors: {x: "float [n]", return: "x.dtype [n]"}', *filter(None, [entry])]]
    return Example("\n".join(lines) + "\n")


UNKNOWN_KEY = Code(
    id="OPG134",
    name="unknown-key",
    severity=Severity.ERROR,
    summary="There is no such key at this place.",
    why=(
        "A misspelt key would be a promise that nobody keeps: `overwrite` instead of `overwrites` changes what is "
        "tested."
    ),
    bad=_library("alias_save: true"),
    good=_library("alias_safe: true"),
    remedy="use one of the keys of the format",
)
MISSING_KEY = Code(
    id="OPG135",
    name="missing-key",
    severity=Severity.ERROR,
    summary="A required key is missing.",
    why="A file states its format version and its namespace, an op its schema: neither can be guessed.",
    bad=Example("namespace: mylib\nops:\n  - func: scale(Tensor x, float by) -> Tensor\n"),
    good=_library(),
    remedy="add the key",
)
WRONG_TYPE = Code(
    id="OPG136",
    name="wrong-type",
    severity=Severity.ERROR,
    summary="A value is a text, a list or a mapping, where a different one of these is expected.",
    why="Accepting one form per key keeps the files of many authors alike; nothing is converted silently.",
    bad=_library("tags: pointwise"),
    good=_library("tags: [pointwise]"),
    remedy="write the value in the form that the key takes",
)
BAD_VALUE = Code(
    id="OPG137",
    name="bad-value",
    severity=Severity.ERROR,
    summary="A text is not one of the values that the key accepts.",
    why="The values are words of a fixed list, numbers, or names of a fixed form.",
    bad=_library("autocast: half"),
    good=_library("autocast: lower_precision"),
    remedy="use one of the values that the message lists",
)
BAD_NAME = Code(
    id="OPG138",
    name="bad-name",
    severity=Severity.ERROR,
    summary="A namespace, a package or a set of dtypes can't have this name.",
    why=(
        "The namespace becomes an attribute of `torch.ops` and a C++ namespace, and the package a Python package; "
        "`aten`, `prim` and `prims` are PyTorch's own, and `std`, `torch`, `at` and `c10` contain the C++ that "
        "generated code calls. A set of dtypes that is named `float32` would mislead readers."
    ),
    bad=Example("opgen: 1\nnamespace: aten\nops:\n  - func: scale(Tensor x, float by) -> Tensor\n"),
    good=_library(),
    remedy="choose an identifier that neither language nor PyTorch has taken",
)
DUPLICATE_OP = Code(
    id="OPG139",
    name="duplicate-op",
    severity=Severity.ERROR,
    summary="Two ops have the same namespace, name and overload.",
    why="PyTorch refuses the second definition when the library is loaded (`aten/src/ATen/core/dispatch/Dispatcher.cpp`).",
    bad=Example(_library().text + "  - func: scale(Tensor x) -> Tensor\n"),
    good=Example(_library().text + "  - func: scale.unit(Tensor x) -> Tensor\n"),
    remedy="rename one, or give it another overload name",
)
BAD_INCLUDE = Code(
    id="OPG140",
    name="bad-include",
    severity=Severity.ERROR,
    summary="An included file is outside the project, is included twice, or includes itself.",
    why="A declaration that reads files from anywhere can be neither reviewed nor packaged into a source distribution.",
    bad=_library(head="include: [../other/ops.yaml]"),
    good=_library(),
    remedy="name a file below the folder of the main file, once",
)
UNSUPPORTED_VERSION = Code(
    id="OPG141",
    name="unsupported-version",
    severity=Severity.ERROR,
    summary="This opgen does not support the format version, or the oldest torch.",
    why="Generated code uses the stable ABI as of torch 2.10; in a newer format the same words may mean other things.",
    bad=Example(_library().text.replace("opgen: 1", "opgen: 2")),
    good=_library(head='torch: ">=2.10"'),
    remedy='write `opgen: 1`, and `torch: ">=2.10"` or newer',
)
DUPLICATE_NAME = Code(
    id="OPG142",
    name="duplicate-name",
    severity=Severity.ERROR,
    summary="A name occurs twice in a list.",
    why="The second occurrence has no effect, and usually another name was meant.",
    bad=_library("tags: [pointwise, pointwise]"),
    good=_library("tags: [pointwise]"),
    remedy="keep one of the two",
)
