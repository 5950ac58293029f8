"""Parse operator schemas: accept exactly what ``torch._C.parse_schema(s, False)`` accepts, with a place for each mistake.

Most arguments of a library look alike (``Tensor self``, ``int dim=-1``). What was read once is remembered by its text and
handed to the grammar as one token, so that Lark runs over few texts in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from lark import Lark, Token, UnexpectedToken
from lark.lexer import Lexer

from opgen.diagnostics import Diagnostic
from opgen.schema import checks
from opgen.schema.checks import TypeNames
from opgen.schema.codes import SYNTAX
from opgen.schema.defaults import read_default
from opgen.schema.errors import SchemaError
from opgen.schema.lexer import tokenize
from opgen.schema.nodes import Argument, FunctionSchema, Return
from opgen.schema.tree import RawArgument, RawSchema, TreeBuilder
from opgen.source import Span, Text

@dataclass(frozen=True, slots=True)
class ParseResult:
    """A schema, or at least one error."""

    schema: FunctionSchema | None
    errors: tuple[SchemaError, ...] = ()


def parse_schema(text: str, opaque_types: frozenset[str] = frozenset()) -> ParseResult:
    """Parse one schema; it may be laid out over lines inside brackets and hold comments.

    A syntax error ends the search, all other mistakes come together. TorchBind classes are taken as they come, since
    whether one is registered is known to the running process only.
    """
    return _reader(TypeNames(opaque_types, text.startswith(("aten::", "prim::")))).read(text)


def check_schema(text: Text, opaque_types: frozenset[str] = frozenset()) -> tuple[FunctionSchema | None, list[Diagnostic]]:
    """Parse one schema of a file: the schema or ``None``, and the mistakes where they stand in the file."""
    result = parse_schema(text.value, opaque_types)
    found = [
        Diagnostic(error.code, error.message, text.locate(error.span), error.help, op=None) for error in result.errors
    ]
    return result.schema, found


class _NoLexer(Lexer):
    """Lark is fed token by token."""

    def __init__(self, lexer_conf: object) -> None:
        del lexer_conf

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Token]:
        raise NotImplementedError


@cache
def _lark() -> tuple[Lark, dict[str, str]]:
    """The parser, and what its grammar spells out with the names of the terminals."""
    grammar = resources.files("opgen.schema").joinpath("schema.lark").read_text(encoding="utf-8")
    lark = Lark(grammar, parser="lalr", lexer=_NoLexer, start="schema", keep_all_tokens=True, transformer=TreeBuilder())
    return lark, {terminal.pattern.value: terminal.name for terminal in lark.terminals}


@lru_cache(maxsize=16)
def _reader(names: TypeNames) -> _Reader:
    return _Reader(names)


class _Reader:
    """Reads schemas that may use the same names of types, and remembers their arguments and returns."""

    def __init__(self, names: TypeNames) -> None:
        self._names = names

    def read(self, text: str) -> ParseResult:
        lark, terminals = _lark()
        parser = lark.parse_interactive()
        token = None
        try:
            for token in tokenize(text, terminals):
                parser.feed_token(token)
            raw: RawSchema = parser.feed_eof(token)
        except UnexpectedToken as error:
            found = error.token
            span = Span(len(text), len(text)) if found.type == "$END" else Span(found.start_pos, found.end_pos)
            return ParseResult(None, (SchemaError(SYNTAX, f"unexpected {found!r}", span),))
        errors = list(checks.check_name(raw.name))
        arguments, is_vararg = self._arguments(raw, errors)
        returns, is_varret = self._returns(raw, errors)
        errors += checks.check_order(arguments, is_vararg=is_vararg)
        if errors:
            return ParseResult(None, tuple(sorted(errors, key=lambda error: error.span)))
        span = Span(raw.name.span.start, raw.returns_span.end)
        schema = FunctionSchema(raw.name, arguments, returns, is_vararg, is_varret, span, raw.returns_span)
        return ParseResult(schema)

    def _arguments(self, raw: RawSchema, errors: list[SchemaError]) -> tuple[tuple[Argument, ...], bool]:
        arguments: list[Argument] = []
        kwarg_only = False
        dots = None
        for item in raw.arguments:
            if dots is not None:
                errors.append(checks.misplaced_dots(dots, "arguments"))
                break
            if isinstance(item, RawArgument):
                arguments.append(self._argument(item, errors, kwarg_only=kwarg_only))
            elif item == "*":
                kwarg_only = True
            else:
                dots = Span(item.start_pos, item.end_pos)
        return tuple(arguments), dots is not None

    def _returns(self, raw: RawSchema, errors: list[SchemaError]) -> tuple[tuple[Return, ...], bool]:
        returns: list[Return] = []
        dots = None
        for item in raw.returns:
            if dots is not None:
                errors.append(checks.misplaced_dots(dots, "returns"))
                break
            if isinstance(item, RawArgument):
                returns.append(self._return(item, errors))
            else:
                dots = Span(item.start_pos, item.end_pos)
        return tuple(returns), dots is not None

    def _argument(self, raw: RawArgument, errors: list[SchemaError], *, kwarg_only: bool) -> Argument:
        found = list(self._check(raw))
        assert raw.name is not None  # the grammar wants one
        default = None
        if raw.default is not None and not found:
            read = read_default(raw.type, raw.default, raw.name)
            if isinstance(read, SchemaError):
                found.append(read)
            else:
                default = read
        errors += found
        return Argument(raw.type, str(raw.name), default, kwarg_only, raw.span, _span(raw.name))

    def _return(self, raw: RawArgument, errors: list[SchemaError]) -> Return:
        errors += self._check(raw)
        name_span = Span(raw.span.end, raw.span.end) if raw.name is None else _span(raw.name)
        return Return(raw.type, None if raw.name is None else str(raw.name), raw.span, name_span)

    def _check(self, raw: RawArgument) -> Iterator[SchemaError]:
        yield from checks.check_type(raw.type, self._names)
        if raw.bad_size is not None:
            yield checks.unreadable_size(raw.bad_size, _span(raw.bad_size))


def _span(token: Token) -> Span:
    assert token.start_pos is not None and token.end_pos is not None  # tokenize sets both
    return Span(token.start_pos, token.end_pos)
