"""Registrations counted by other means than opgen's readers: by brackets in C++, by the names of calls in Python."""

from __future__ import annotations

import ast
import re

_LITERALS_AND_COMMENTS = re.compile(
    r"""R"(?P<end>\w*)\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define\b(?:.*\\\n)*.*$", re.MULTILINE)
_BLOCK = re.compile(r"\b(?:STABLE_)?TORCH_LIBRARY(?:_FRAGMENT|_EXPAND|_FRAGMENT_EXPAND)?\s*\(")
_HELPER = re.compile(r"\b(?:torch\s*::\s*)?Library\s*&\s*\w+\s*\)\s*\{")
_CALLS = frozenset({"custom_op", "triton_op", "define"})
_WRAPPER = re.compile(r"register_custom_op")


def count_cpp(text: str) -> int:
    """Count ``.def(`` in blocks of ``TORCH_LIBRARY`` and in functions that take a ``Library&``, but not in macros."""
    code = _MACRO.sub("", _LITERALS_AND_COMMENTS.sub(lambda match: '""' if match[0][0] in 'R"' else " ", text))
    count = 0
    for match in _BLOCK.finditer(code):
        start = code.find("{", _closing(code, match.end() - 1))
        count += _definitions(code, start) if start >= 0 else 0
    return count + sum(_definitions(code, match.end() - 1) for match in _HELPER.finditer(code))


def count_python(text: str) -> int:
    """Count calls of ``custom_op``, ``triton_op``, ``define`` and of wrappers that are called like one."""
    if "torch" not in text:
        return 0
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a template, or of another Python
        return 0
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    names = (getattr(function, "attr", None) or getattr(function, "id", "") for function in calls)
    return sum(name in _CALLS or _WRAPPER.search(name) is not None for name in names)


def _definitions(code: str, start: int) -> int:
    return len(re.findall(r"\.\s*def\s*\(", code[start : _closing(code, start)]))


def _closing(code: str, start: int) -> int:
    """Return where the bracket at ``start`` is closed."""
    opening = code[start]
    closing = {"(": ")", "{": "}"}[opening]
    depth = 0
    for place in range(start, len(code)):
        depth += (code[place] == opening) - (code[place] == closing)
        if not depth:
            return place
    return len(code)
