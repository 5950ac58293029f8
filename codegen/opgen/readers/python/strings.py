"""Evaluates composed strings: ``NS + "::op"``, ``f"{NS}::op"``, string methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from string import Formatter

from opgen.readers.python import texts
from opgen.readers.python.literals import Characters, scan_literal
from opgen.readers.python.scope import Frame, unknown
from opgen.readers.python.values import Call, Constant, Items, String, Unknown, Value
from opgen.source import DerivedText, Span, Text


def concatenate(parts: Sequence[tuple[String, ast.expr | None]], node: ast.expr, frame: Frame) -> String:
    """Join the strings in the expression ``node``; each comes with the expression whose value it is."""
    inference = next((part.inference for part, _ in parts if part.inference), None)
    inferred = next((part for part, _ in parts if part.inference), None)
    home = inferred.text.locate() if inferred else frame.location(node)
    spans = [frame.module.places.span(origin) if origin and not frame.site else None for _, origin in parts]
    return String(
        texts.join([(part.text, span) for (part, _), span in zip(parts, spans, strict=True)], home), inference
    )


def formatted(node: ast.JoinedStr, frame: Frame) -> Value:
    """Evaluate an f-string whose fields are known strings or integers."""
    values = [
        (part, frame.evaluate(part.value) if isinstance(part, ast.FormattedValue) else None) for part in node.values
    ]
    span = frame.module.places.span(node)
    pieces = scan_literal(frame.module.source.text, *span)
    parts: list[texts.Part] = []
    if len(pieces) != len(values):
        pieces = []
    for index, (part, value) in enumerate(values):
        piece = pieces[index] if pieces else None
        match part, value:
            case ast.Constant(value=str() as characters), None:
                if isinstance(piece, Characters) and piece.value == characters:
                    parts.append(
                        (
                            Text(characters, frame.module.source, span.start, (*piece.offsets, piece.offsets[-1] + 1)),
                            None,
                        )
                    )
                else:
                    parts.append((DerivedText.at(characters, frame.module.places.location(node)), None))
            case ast.FormattedValue(format_spec=None, conversion=-1 | 115), String(text):
                parts.append((text, piece.span if piece and not isinstance(piece, Characters) else None))
            case ast.FormattedValue(format_spec=None, conversion=-1 | 115), Constant(bool() | int() | None as number):
                parts.append(
                    (Text.of(str(number)), piece.span if piece and not isinstance(piece, Characters) else None)
                )
            case _, Unknown() as missing:
                return unknown(missing.reason, missing, written=frame.module.places.written(node))
            case _:
                return unknown("an f-string has a field that is not known", written=frame.module.places.written(node))
    return (
        String(texts.join(parts, frame.location(node))) if parts else String(DerivedText.at("", frame.location(node)))
    )


_PARTS = frozenset({"strip", "lstrip", "rstrip", "removeprefix", "removesuffix"})
_SPLITS = frozenset({"split", "rsplit", "partition", "rpartition"})
_OTHERS = frozenset({"lower", "upper", "replace", "startswith", "endswith", "format"})
_LONGEST = 1_000_000


def method(owner: String, name: str, made: Call, frame: Frame) -> Value | None:
    """Evaluate a method of a string with known arguments; ``None`` for methods that aren't supported."""
    values = [*made.positional, *made.keywords.values()]
    plain = [plain_value(value) for value in values]
    is_followed = name in _PARTS | _SPLITS | _OTHERS and not made.is_open and all(value is not ... for value in plain)
    if not is_followed or not _stays_short(owner.text.value, name, plain):
        return None
    count, text = len(made.positional), owner.text
    try:
        result = getattr(text.value, name)(*plain[:count], **dict(zip(made.keywords, plain[count:], strict=True)))
    except (TypeError, ValueError, LookupError, AttributeError):
        return None
    if isinstance(result, bool):
        return Constant(result)
    if name in _SPLITS:
        return Items(tuple(_cut(owner.text, result)))
    if name in _PARTS:
        start = text.value.index(result)
        return String(text.part(Span(start, start + len(result))), owner.inference)
    return String(DerivedText.at(result, frame.location(made.node)))


def _stays_short(text: str, name: str, arguments: Sequence[object]) -> bool:
    """Whether the length of a result is bounded by those of its inputs; not with widths, as in ``{:>9999}``."""
    if name not in {"replace", "format"}:
        return True
    longest = max((len(str(argument)) for argument in arguments), default=0)
    return not (name == "format" and _has_widths(text)) and (len(text) + 1) * longest <= _LONGEST


def _has_widths(text: str) -> bool:
    try:
        return any(specification for _, _, specification, _ in Formatter().parse(text))
    except ValueError:
        return False  # it can't be formatted at all


def _cut(text: Text, parts: Sequence[str]) -> Iterator[String]:
    """Yield the parts of a text, in order, with their locations in it."""
    position = 0
    for part in parts:
        start = text.value.index(part, position)
        position = start + len(part)
        yield String(text.part(Span(start, position)) if part else DerivedText.at("", text.locate()))


def plain_value(value: Value) -> object:
    """Return a string or constant as a Python object, ``...`` for any other value."""
    return value.text.value if isinstance(value, String) else value.value if isinstance(value, Constant) else ...


def piece(owner: String, index: ast.expr, frame: Frame) -> String | None:
    """Return the value of ``name[1:]`` or ``name[0]``; ``None`` if the bounds aren't known."""
    whole = range(len(owner.text.value))
    if isinstance(index, ast.Slice):
        bounds = [plain_value(frame.evaluate(bound)) if bound else None for bound in (index.lower, index.upper)]
        lower, upper = (bound if isinstance(bound, int) else None for bound in bounds)
        if index.step is not None or bounds != [lower, upper]:
            return None
        found = whole[lower:upper]
    else:
        number = plain_value(frame.evaluate(index))
        if not isinstance(number, int) or not -len(whole) <= number < len(whole):
            return None
        found = range(whole[number], whole[number] + 1)
    return String(owner.text.part(Span(found.start, max(found.start, found.stop))))
