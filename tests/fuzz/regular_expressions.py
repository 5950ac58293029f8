"""Every regular expression of opgen's code, how it is called, and texts that make it slow if anything does."""

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import opgen

parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

SEARCHES = {"search", "finditer", "findall", "sub", "subn", "split"}
ANCHORED = {"match", "fullmatch"}
SAMPLES = "aA0_ \t\n.,:/\\'\"()[]{}<>*&#%$!-=é\0"


@dataclass(frozen=True)
class Expression:
    """A pattern, where it stands, and the methods that it is called by."""

    pattern: re.Pattern[str]
    place: str
    methods: frozenset[str]


def expressions() -> Iterator[Expression]:
    """Yield those that modules hold, and those that are written out in a call of ``re``."""
    root = Path(opgen.__file__).parent
    for file in sorted(root.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "import re\n" not in text or file.name == "tabulate.py":
            continue
        name = ".".join(("opgen", *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        module = importlib.import_module(name)
        tree = ast.parse(text)
        place = file.relative_to(root).as_posix()
        called = _methods(tree)
        for key, value in vars(module).items():
            for pattern in _patterns(value, 0):
                yield Expression(pattern, f"{place}: {key}", frozenset(called.get(key, SEARCHES)))
        yield from _written(tree, place)


def _patterns(value: object, depth: int) -> Iterator[re.Pattern[str]]:
    """Find the patterns in a value of a module: itself, in a collection, in a record."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth < 3 and isinstance(value, (tuple, list, set, frozenset)):
        for each in value:
            yield from _patterns(each, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        yield from _patterns(list(value.values()), depth)
    elif depth < 3 and not isinstance(value, type) and hasattr(value, "__dataclass_fields__"):
        yield from _patterns([getattr(value, field) for field in value.__dataclass_fields__], depth)


def _methods(tree: ast.AST) -> dict[str, set[str]]:
    """Return by which methods each name is called; those of a name that is handed on are unknown."""
    called: dict[str, set[str]] = {}
    used: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used[node.id] = used.get(node.id, 0) + 1
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in SEARCHES | ANCHORED:
            called.setdefault(node.value.id, set()).add(node.attr)
            used[node.value.id] = used.get(node.value.id, 0) - 1
    return {name: methods for name, methods in called.items() if used[name] <= 0}


def _written(tree: ast.AST, place: str) -> Iterator[Expression]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in SEARCHES | ANCHORED
            and isinstance(node.args[0], ast.Constant)
        ):
            flags = 0
            for argument in [*node.args[1:], *(keyword.value for keyword in node.keywords)]:
                if "re." in (written := ast.unparse(argument)) and "(" not in written:
                    flags |= eval(written, {"re": re})  # noqa: S307 - flags of our own code
            pattern = re.compile(node.args[0].value, flags)
            yield Expression(pattern, f"{place}:{node.lineno}", frozenset({node.func.attr}))


def hostile(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield, for each repetition, what may stand in front of it and what may be repeated in it."""
    yield from {("", character) for character in " a\n"}
    seen = set()
    for before, repeated in _repetitions(parser.parse(pattern.pattern, pattern.flags), ""):
        for pump in dict.fromkeys([*repeated, *([before, f"{before}{repeated[0]}"] if before else [])]):
            if pump and (before, pump) not in seen:
                seen.add((before, pump))
                yield before, pump


def _repetitions(items: Any, before: str) -> Iterator[tuple[str, list[str]]]:
    for operator, argument in items:
        name = str(operator)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            least, most, body = argument
            if most > 50:
                yield before, _texts(body)
            yield from _repetitions(body, before)
            before += _texts(body)[0] * least
        elif name == "SUBPATTERN":
            yield from _repetitions(argument[-1], before)
            before += _texts(argument[-1])[0]
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from _repetitions(branch, before)
            before += _texts(argument[1][0])[0]
        elif name in {"ASSERT", "ASSERT_NOT"}:
            yield from _repetitions(argument[1], before)
        else:
            before += _texts([(operator, argument)])[0]


def _texts(items: Any) -> list[str]:
    """Return a few texts that a part of a pattern matches, more or less."""
    texts = [""]
    for operator, argument in items:
        texts = [text + more for text in texts[:4] for more in _of_one(str(operator), argument)[:6]]
    return texts or [""]


def _of_one(name: str, argument: Any) -> list[str]:  # noqa: PLR0911 - one a kind of part
    if name == "LITERAL":
        return [chr(argument)]
    if name == "SUBPATTERN":
        return _texts(argument[-1])
    if name == "ATOMIC_GROUP":
        return _texts(argument)
    if name == "BRANCH":
        return [text for branch in argument[1] for text in _texts(branch)[:3]]
    if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        least, most, body = argument
        return [text * max(least, min(1, most)) for text in _texts(body)] + ([""] if least == 0 else [])
    if name in {"IN", "NOT_LITERAL", "ANY", "RANGE", "CATEGORY"}:
        return _characters(name, argument)
    return [""]


def _characters(name: str, argument: Any) -> list[str]:
    """Return some of the characters that a set holds."""
    if name == "ANY":
        return ["a", " ", "("]
    if name == "NOT_LITERAL":
        return [each for each in "a \n\\(" if ord(each) != argument]
    literals = [chr(value) for kind, value in argument if str(kind) == "LITERAL"]
    compiled = re.compile(_as_set(argument), re.DOTALL)
    return list(dict.fromkeys(each for each in (*SAMPLES, *literals) if compiled.fullmatch(each)))[:8] or [""]


def _as_set(argument: Any) -> str:
    words = {
        "CATEGORY_WORD": r"\w",
        "CATEGORY_NOT_WORD": r"\W",
        "CATEGORY_DIGIT": r"\d",
        "CATEGORY_NOT_DIGIT": r"\D",
        "CATEGORY_SPACE": r"\s",
        "CATEGORY_NOT_SPACE": r"\S",
    }
    parts = []
    for kind, value in argument:
        if str(kind) == "NEGATE":
            parts.insert(0, "^")
        elif str(kind) == "LITERAL":
            parts.append(re.escape(chr(value)))
        elif str(kind) == "RANGE":
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        else:
            parts.append(words[str(value)])
    return f"[{''.join(parts)}]"
