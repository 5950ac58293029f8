"""Codes of mistakes in a schema's text: everything that PyTorch's own parser refuses."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example

_PARSER = "PyTorch's schema parser (torch/csrc/jit/frontend/function_schema_parser.cpp)"


def _library(func: str) -> Example:
    return Example(f"opgen: 1\nnamespace: mylib\nops:\n  - func: {func}\n")


def _code(number: int, name: str, summary: str, why: str, bad: str, good: str, remedy: str) -> Code:  # noqa: PLR0913, PLR0917 - one row of the table below
    return Code(f"OPG{number}", name, Severity.ERROR, summary, why, remedy, _library(bad), _library(good))


SYNTAX = _code(
    100,
    "schema-syntax",
    "The text of a schema must follow the grammar of `m.def`.",
    f"{_PARSER} refuses it when the library is loaded, with a caret but without a file or a line.",
    '"f(Tensor x,) -> Tensor"',
    '"f(Tensor x) -> Tensor"',
    "repair the text at the marked place",
)
UNKNOWN_TYPE = _code(
    101,
    "unknown-type",
    "A schema uses an unknown type.",
    f"{_PARSER} refuses C++ and Python spellings such as `int64_t`, `double` or `List[int]`; a `float` in a schema is a "
    "C++ double, an `int` an int64_t.",
    "f(Tensor x, int64_t n) -> Tensor",
    "f(Tensor x, SymInt n) -> Tensor",
    "use the schema's own name of the type; TorchBind classes are written `__torch__.torch.classes.NS.Cls`",
)
IMPOSSIBLE_TYPE = _code(
    102,
    "impossible-type",
    "Such a type can't be built from its parts.",
    "PyTorch fails an internal assertion on `None?`, on a Union of types that it treats as one, and on a Dict whose "
    "key is not a plain type (aten/src/ATen/core/union_type.cpp, jit_type.h).",
    '"f(Tensor x, Dict(int[], Tensor) table) -> Tensor"',
    '"f(Tensor x, Dict(int, Tensor) table) -> Tensor"',
    "use a type that PyTorch can hold",
)
RESERVED_WORD = _code(
    103,
    "reserved-word",
    "A name is a reserved word of TorchScript.",
    "The words in torch/csrc/jit/frontend/lexer.h (`in`, `is`, `global`, `None`, ...) are tokens, never names.",
    "f(Tensor in) -> Tensor",
    "f(Tensor input) -> Tensor",
    "rename it",
)
OVERLOAD_NAME = _code(
    104,
    "overload-name",
    "An overload is called `default`, or its name begins with two underscores.",
    "`torch.ops.ns.op.default` is the overload without a name, and dunder names are attributes of the packet; "
    f"{_PARSER} refuses both.",
    "f.default(Tensor x) -> Tensor",
    "f(Tensor x) -> Tensor",
    "leave the overload out, or give it another name",
)
ITEM_ORDER = _code(
    105,
    "argument-order",
    "Arguments with a default come last; `...` comes last of all, and allows no defaults before it.",
    "FunctionSchema::checkSchema in aten/src/ATen/core/function_schema.h asserts that no positional argument without a "
    "default follows one with a default; only lists, for old programs, and keyword-only arguments may.",
    "f(Tensor x, int n=1, Tensor y) -> Tensor",
    "f(Tensor x, Tensor y, int n=1) -> Tensor",
    "move the argument, give it a default, or make it keyword-only with `*`",
)
BAD_DEFAULT = _code(
    106,
    "unreadable-default",
    "A default must be one that PyTorch can read for the type of its argument.",
    f"{_PARSER} takes no lists for most element types, no value for a Tensor, no expression, and only some names. (What "
    "it takes in silence and stores wrong has codes of its own.)",
    "f(Tensor x, bool flag=true) -> Tensor",
    "f(Tensor x, bool flag=True) -> Tensor",
    "write a default of the argument's type, or make the argument optional with the default None",
)
NUMBER_RANGE = _code(
    107,
    "number-out-of-range",
    "A number does not fit in 64 bits.",
    "PyTorch reads numbers with std::stoll and std::stod, which throw when the value does not fit or vanishes.",
    "f(Tensor x, float eps=1e400) -> Tensor",
    "f(Tensor x, float eps=1e300) -> Tensor",
    "use a smaller number; an infinite default can't be written, so make the argument optional",
)
BAD_STRING = _code(
    108,
    "string-escape",
    "A string contains an escape that TorchScript doesn't know.",
    r"torch/csrc/jit/frontend/parse_string_literal.h knows \\ \' \" \a \b \f \n \v \t, a backslash before a line break, and "
    "three octal digits.",
    r"""'f(Tensor x, str sep="\x41") -> Tensor'""",
    r"""'f(Tensor x, str sep="\101") -> Tensor'""",
    "write the character itself, or its three octal digits",
)

ALL = (
    SYNTAX,
    UNKNOWN_TYPE,
    IMPOSSIBLE_TYPE,
    RESERVED_WORD,
    OVERLOAD_NAME,
    ITEM_ORDER,
    BAD_DEFAULT,
    NUMBER_RANGE,
    BAD_STRING,
)
