"""The C++ function type of an op, as the dispatcher knows it."""

from __future__ import annotations

from opgen.schema.aliases import is_written
from opgen.schema.nodes import Argument, BaseType, FunctionSchema, ListType, OptionalType, Type
from opgen.schema.printer import print_type

_NAMES = {
    "int": "int64_t",
    "SymInt": "c10::SymInt",
    "float": "double",
    "bool": "bool",
    "complex": "c10::complex<double>",
    "str": "c10::string_view",
    **{name: f"at::{name}" for name in ("ScalarType", "Layout", "MemoryFormat", "Device", "Generator", "Storage")},
    "Scalar": "const at::Scalar&",
}


def cpp_function(schema: FunctionSchema) -> str:
    """Return the type that C++ names to call an op, ``at::Tensor(const at::Tensor&, double)``.

    Two schemas have one type here if and only if a caller that was compiled for one can call the other. Source:
    ``torch/csrc/jit/frontend/function_schema_parser.h``, ``TypedOperatorHandle`` in ``aten/src/ATen/core/dispatch/Dispatcher.h``.
    """
    returns = [_value(result.type) for result in schema.returns]
    result = returns[0] if len(returns) == 1 else f"std::tuple<{', '.join(returns)}>" if returns else "void"
    return f"{result}({', '.join(map(_parameter, schema.arguments))})"


def _parameter(argument: Argument) -> str:
    value = _value(argument.type)
    if value == "at::Tensor":
        return "at::Tensor&" if is_written(argument) else "const at::Tensor&"
    return f"const {value}&" if value == "std::optional<at::Tensor>" else value


def _value(type_: Type) -> str:  # noqa: PLR0911 - one for each node
    match type_:
        case BaseType(name="Tensor"):
            return "at::Tensor"
        case BaseType(name=name):
            return _NAMES.get(name, name)
        case OptionalType(element=OptionalType() as inner):
            return _value(inner)
        case OptionalType(element=element):
            return f"std::optional<{_value(element).removeprefix('const ').rstrip('&')}>"
        case ListType(element=element, size=size) if element == BaseType("bool") and size is not None:
            return f"std::array<bool, {size}>"
        case ListType(element=element):
            return f"at::ArrayRef<{_value(element).removeprefix('const ').rstrip('&')}>"
    return print_type(type_)
