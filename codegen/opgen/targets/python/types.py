"""Types and defaults of a schema as Python annotations and expressions."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Argument, Op
from opgen.schema.constants import DTYPE_CONSTANTS
from opgen.schema.nodes import (
    BaseType,
    ConstantDefault,
    Default,
    GenericType,
    ListDefault,
    ListType,
    NameDefault,
    NumberDefault,
    OptionalType,
    StringDefault,
    TupleType,
    Type,
)
from opgen.schema.types import without_optional
from opgen.spec.expression import Constant, Membership, Name
from opgen.targets.expressions.questions import conjuncts
from opgen.targets.python.layout import py_number, py_string

# The types that callers may pass, as in torch's own stubs.
_BASE = {
    "Tensor": "Tensor",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "bool": "bool",
    "SymBool": "bool",
    "complex": "complex",
    "str": "str",
    "Scalar": "complex",
    "ScalarType": "torch.dtype",
    "Layout": "torch.layout",
    "MemoryFormat": "torch.memory_format",
    "QScheme": "torch.qscheme",
    "Device": "torch.device | str",
    "Generator": "torch.Generator",
    "Storage": "torch.UntypedStorage",
    "Stream": "torch.Stream",
    "None": "None",
    "NoneType": "None",
}
_PREFIX = {"ScalarType": "torch.", "Layout": "torch.", "MemoryFormat": "torch."}


def argument_type(argument: Argument, op: Op) -> str:
    """Return the type that a caller sees: ``Sequence[int]``, ``Literal["sum", "mean"]`` where a check lists choices."""
    return _or_number(argument.type, passed_type(argument, op))


def described_type(argument: Argument) -> str:
    """Return the same type as ``argument_type`` but for ``Literal``, for documentation."""
    return _or_number(argument.type, annotation(argument.type))


def passed_type(argument: Argument, op: Op) -> str:
    """Return the type that PyTorch passes to a kernel: a sequence for ``int[2]``, even if the caller gave a number."""
    choices = dict.fromkeys(_choices(argument, op))
    if not choices:
        return annotation(argument.type)
    if isinstance(argument.default, StringDefault):
        choices[argument.default.value] = None
    literal = f"Literal[{', '.join(map(py_string, choices))}]"
    return f"{literal} | None" if argument.is_optional else literal


def result_type(op: Op) -> str:
    """Return the annotation of a call's result."""
    types = [annotation(output.type, is_result=True) for output in op.outputs]
    if not types:
        return "None"
    return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"


def annotation(type_: Type, *, is_result: bool = False) -> str:  # noqa: PLR0911 - one case a type
    """Return the annotation for a value of a schema type; ``Any`` where Python has no name for it."""
    match type_:
        case BaseType(name) if is_result and name == "Device":
            return "torch.device"
        case BaseType(name):
            return _BASE.get(name, "Any")
        case OptionalType(element):
            inner = annotation(element, is_result=is_result)
            return inner if inner in ("Any", "None") else f"{inner} | None"
        case ListType(element):
            inner = annotation(element, is_result=is_result)
            return f"list[{inner}]" if is_result else f"Sequence[{inner}]"
        case TupleType(elements):
            parts = ", ".join(annotation(element, is_result=is_result) for element in elements)
            return f"tuple[{parts}]" if parts else "tuple[()]"
        case GenericType("Dict", parameters):
            return f"dict[{', '.join(annotation(parameter, is_result=is_result) for parameter in parameters)}]"
    return "Any"


def public_default(default: Default, type_: Type) -> str:
    """Return the default in a public function: ``1`` for ``int[2] pad=1``, since PyTorch accepts a number there."""
    is_list = isinstance(type_, ListType) and not _is_repeated(type_)
    return passed_default(default, type_) if is_list else default_text(default, type_)


def default_text(default: Default, type_: Type) -> str:
    """Return the default as an expression: ``1e-06``, ``torch.float32``, ``(1, 1)``."""
    inner = without_optional(type_)
    name = inner.name if isinstance(inner, BaseType) else ""
    match default:
        case ConstantDefault(value):
            return repr(value)
        case StringDefault(value):
            return py_string(value)
        case NumberDefault(_, value):
            return py_number(float(value) if name == "float" and isinstance(value, int) else value)
        case NameDefault(word, number):
            is_known = name != "ScalarType" or word in DTYPE_CONSTANTS
            return f"{_PREFIX[name]}{word}" if name in _PREFIX and is_known else py_number(number)
        case ListDefault(items):
            element = inner.element if isinstance(inner, ListType) else inner
            return _tuple([default_text(item, element) for item in items])


def passed_default(default: Default, type_: Type) -> str:
    """Return the default in a function that PyTorch calls: ``(1, 1)`` for ``int[2] pad=1``.

    It is needed since the dispatcher omits arguments that equal their default when it calls Python kernels.
    """
    if isinstance(type_, ListType) and type_.size is not None and not isinstance(default, ListDefault):
        return _tuple([default_text(default, type_.element)] * type_.size)
    return default_text(default, type_)


def _tuple(texts: list[str]) -> str:
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _or_number(type_: Type, text: str) -> str:
    """Add the type of a single number to that of a fixed-length list which PyTorch would fill with it."""
    inner = without_optional(type_)
    return f"{annotation(inner.element)} | {text}" if isinstance(inner, ListType) and _is_repeated(inner) else text


def _is_repeated(type_: ListType) -> bool:
    """Whether a number may be passed for a fixed-length list, as for ``int[2]`` and ``float[2]`` only.

    Source: `toIValue` in torch/csrc/jit/python/pybind_utils.cpp.
    """
    return type_.size is not None and isinstance(type_.element, BaseType) and type_.element.name in {"int", "float"}


def _choices(argument: Argument, op: Op) -> Iterator[str]:
    inner = without_optional(argument.type)
    if isinstance(inner, BaseType) and inner.name == "str":
        for check in op.spec.checks:
            for condition in conjuncts(check.condition):
                match condition:
                    case Membership(Name(name), choices, negated=False) if name == argument.name:
                        yield from (c.value for c in choices if isinstance(c, Constant) and isinstance(c.value, str))
