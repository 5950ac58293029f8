"""Expands macros that the sources define, for registrations made by macros: a small preprocessor.

It supports ``#name``, ``a##b`` and ``__VA_ARGS__``. Text from a macro's body has the location of the call; arguments
keep their own locations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from opgen.readers.cpp.lexical import Lexed, closing, lex, without_literals
from opgen.readers.cpp.texts import joined, placed
from opgen.records import dataclass
from opgen.source import Source, Span, Text

MOST_NESTED = 32
MOST_EXPANSIONS = 500
LONGEST = 100_000
"""Bounds of an expansion, far beyond real uses; beyond them the rest of a text is not expanded."""

_OPENING = re.compile(r"\s*\(")
_DEFINE = re.compile(r"\ufeff?\s*#\s*define\s+(\w+)(\(([^()]*)\))?(.*)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_PIECE = re.compile(
    r"#\s*(?P<string>[A-Za-z_]\w*)|(?P<paste>\s*\#\#\s*)|(?P<word>[A-Za-z_]\w*)|(?P<rest>\"(?:\\.|[^\"\\])*\"|\s+|.)",
    re.DOTALL,
)
_OWN = re.compile(r"(STABLE_)?TORCH_(?!LIBRARY_\w*EXPAND)|C10_|AT_|NULL$")


@dataclass(frozen=True)
class Macro:
    """``#define name(parameters) body``; without parentheses ``parameters`` is ``None``."""

    name: str
    parameters: tuple[str, ...] | None
    body: str


def macros_of(source: Source, lexed: Lexed) -> Iterator[Macro]:
    """Yield the macros that a source defines, without PyTorch's own, whose meaning is known."""
    for span in lexed.directives:
        match = _DEFINE.match(source.text, *span)
        if match is None or _OWN.match(match[1]):
            continue
        parameters = None if match[2] is None else tuple(part.strip() for part in match[3].split(",") if part.strip())
        body = lex("_" + re.sub(r"\\\r?\n", " ", match[4])).plain[1:].strip()  # after "_", "#name" is no directive
        yield Macro(match[1], parameters, body)


def expanded(text: Text, macros: Mapping[str, Macro], most: int = MOST_EXPANSIONS) -> Text:
    """Return a text with all macro calls expanded, also those in the bodies of macros; at most so many."""
    return _Expansion(macros, most).of(text, frozenset())


class _Expansion:
    """One expansion of a text. As in C, a macro is not expanded inside of its own expansion."""

    def __init__(self, macros: Mapping[str, Macro], most: int) -> None:
        self._macros = macros
        self._left = most

    def of(self, text: Text, active: frozenset[str], depth: int = 0) -> Text:
        if depth > MOST_NESTED or len(text.value) > LONGEST or not self._is_called_in(text.value):
            return text
        parts = list(self._parts(text, active, depth))
        return text if len(parts) == 1 else joined(parts, text.source, text.base)

    def _is_called_in(self, code: str) -> bool:
        return any(word in self._macros for word in _WORD.findall(code))

    def _parts(self, text: Text, active: frozenset[str], depth: int) -> Iterator[Text]:
        code = without_literals(text.value)
        position = 0
        for match in _WORD.finditer(code):
            macro = None if match[0] in active else self._macros.get(match[0])
            if macro is None or match.start() < position or self._left == 0:
                continue
            end = match.end()
            arguments: tuple[Text, ...] = ()
            self._left -= 1
            if macro.parameters is not None:
                opening = _OPENING.match(code, end)
                closed = closing(code, opening.end() - 1) if opening else None
                if opening is None or closed is None:
                    continue
                arguments, end = split(text, code, Span(opening.end(), closed - 1)), closed
            yield text.part(Span(position, match.start()))
            call = text.part(Span(match.start(), end))
            written = list(self._substituted(macro, arguments, call, active, depth))
            yield self.of(joined(written, text.source, call.base), active | {macro.name}, depth + 1)
            position = end
        yield text.part(Span(position, len(text.value)))

    def _substituted(
        self, macro: Macro, arguments: tuple[Text, ...], call: Text, active: frozenset[str], depth: int
    ) -> Iterator[Text]:
        given = _given(macro.parameters or (), arguments, call)
        pieces = list(_PIECE.finditer(macro.body))
        own: list[str] = []
        for index, piece in enumerate(pieces):
            word, quoted = piece["word"], piece["string"]
            if word not in given and quoted not in given:
                own += [] if piece["paste"] else [piece[0]]
                continue
            yield placed("".join(own), call)
            own = []
            if word in given:
                is_pasted = any(other["paste"] for other in pieces[max(0, index - 1) : index + 2])
                yield given[word] if is_pasted else self.of(given[word], active, depth + 1)
            else:
                text = re.sub(r'(["\\])', r"\\\1", given[quoted].value)
                yield placed(f'"{text}"', given[quoted])
        yield placed("".join(own), call)


def _given(parameters: tuple[str, ...], arguments: tuple[Text, ...], call: Text) -> dict[str, Text]:
    """Return parameter -> argument of a macro call, with ``__VA_ARGS__``."""
    given = dict(zip(parameters, arguments, strict=False))
    if parameters and parameters[-1] == "..." and len(arguments) >= len(parameters):
        rest = arguments[len(parameters) - 1 :]
        commas = [part for argument in rest for part in (placed(", ", argument), argument)]
        given["__VA_ARGS__"] = joined(commas[1:], call.source, call.base)
    return given


def split(text: Text, code: str, span: Span) -> tuple[Text, ...]:
    """Split the text between two parentheses at its commas, except in brackets; those of templates don't count."""
    cuts = [span.start - 1]
    depth = 0
    for index in range(*span):
        character = code[index]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            cuts.append(index)
    cuts.append(span.end)
    pieces = (Span(start + 1, end) for start, end in pairwise(cuts))
    return tuple(_stripped(text, piece) for piece in pieces)


def _stripped(text: Text, span: Span) -> Text:
    value = text.value[span.start : span.end]
    start = span.start + len(value) - len(value.lstrip())
    return text.part(Span(start, max(start, span.start + len(value.rstrip()))))
