"""Defaults of a schema beside those of a Python signature."""

from __future__ import annotations

import ast

from opgen.schema.nodes import ConstantDefault, Default, ListDefault, NameDefault, NumberDefault, StringDefault


def shown(default: Default) -> str:
    """Write a default as Python does."""
    match default:
        case NumberDefault(text=text):
            return text
        case StringDefault(value=value):
            return repr(value)
        case NameDefault(name=name):
            return name
        case ConstantDefault(value=value):
            return str(value)
        case ListDefault(items=items):
            return f"[{', '.join(map(shown, items))}]"


def differs(default: Default, written: str) -> bool:
    """Whether a default in Python is another one; what can't be read from its text, a constant or ``torch.float``, is not."""
    return _compared(default, written) is False


def literal(default: Default) -> str | None:
    """Write a default as Python does, if it is a literal there: names of dtypes are none."""
    written = shown(default)
    return written if _compared(default, written) else None


def _compared(default: Default, written: str) -> bool | None:
    try:
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return _equal(default, value)


def _equal(default: Default, value: object) -> bool:
    match default:
        case ListDefault(items=items):
            return isinstance(value, list | tuple) and len(value) == len(items) and all(map(_equal, items, value))
        case NumberDefault(value=number) | NameDefault(value=number):
            return (isinstance(value, list | tuple) and all(one == number for one in value)) or number == value
        case StringDefault(value=text):
            return text == value
        case ConstantDefault(value=constant):
            return constant == value and (constant is None) == (value is None)
