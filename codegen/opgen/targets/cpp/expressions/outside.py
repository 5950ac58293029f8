"""What is the same at all points, in C++: an argument or a size as it is, or a constant that is made of some before any loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.model.compute.nodes import Given, Scalar
from opgen.records import dataclass
from opgen.spec.expression import Name
from opgen.targets.cpp.expressions.plan import Outside
from opgen.targets.expressions.cpp import render_cpp
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant.

    Attributes:
        type: in C++.
        name: what it is called if nothing else is.
        value: in C++.
    """

    type: str
    name: str
    value: str


def rendered(outside: Outside, names: Names) -> str | Constant:
    """Return the text of something, or the constant that stands for it."""
    match outside:
        case Scalar(argument):
            return _scalar(cpp_name(argument), outside, is_any=names.type_name(argument) == "Scalar")
        case Given(argument):
            name = cpp_name(argument)
            return Constant("bool", f"has_{name}", f"{name}.has_value()")
    text = render_cpp(outside, names)
    return text if isinstance(outside, Name) or text.isdigit() else Constant("int64_t", "size", text)


def _scalar(name: str, scalar: Scalar, *, is_any: bool) -> str | Constant:
    """Render a scalar argument as the number that it is."""
    if not scalar.is_optional and not is_any:
        return name
    value = f"abi::number({name})" if is_any else name
    return Constant("auto", f"{name}_value", f"{value}.value_or(0)" if scalar.is_optional else value)


def constants(outside: Iterable[Outside], names: Names) -> Iterator[Constant]:
    """Yield the constants among some, each once."""
    found = (rendered(each, names) for each in outside)
    yield from dict.fromkeys(each for each in found if isinstance(each, Constant))
