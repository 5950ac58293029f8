"""Finds the comments in YAML, Python and C++ files, but not what looks like one inside of a string."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterator

import yaml

from opgen.source import Source, Span

_CPP = re.compile(
    r"""//(?:\\\r?\n|[^\n])*"""
    r"""|/\*(?:.*?\*/|.*\Z)"""
    r"""|\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\((?:.*?\)(?P=delimiter)"|.*\Z)"""
    r'''|"(?:\\.|[^"\\\n])*"'''
    r"""|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)


def comments(source: Source) -> Iterator[Span]:
    """Yield the comments of a file, whose language is told by its name; none if it has a syntax error."""
    suffix = source.path.rpartition(".")[2].lower()
    try:
        if suffix in {"py", "pyi"}:
            yield from _python(source)
        elif suffix in {"yaml", "yml"}:
            yield from _yaml(source.text)
        else:
            yield from (Span(*match.span()) for match in _CPP.finditer(source.text) if match[0].startswith("/"))
    except (yaml.YAMLError, tokenize.TokenError, SyntaxError):
        return


def _python(source: Source) -> Iterator[Span]:
    starts = [0]
    for line in io.StringIO(source.text):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.COMMENT:
            start = starts[token.start[0] - 1] + token.start[1]
            yield Span(start, start + len(token.string))


def _yaml(text: str) -> Iterator[Span]:
    texts = [
        Span(token.start_mark.index, token.end_mark.index)
        for token in yaml.scan(text, Loader=yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
        if isinstance(token, yaml.ScalarToken)
    ]
    starts = [span.start for span in texts]
    for match in re.finditer(r"(?:^|(?<=[ \t]))#[^\r\n]*", text, re.MULTILINE):
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or match.start() >= texts[before].end:
            yield Span(*match.span())
