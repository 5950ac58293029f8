"""Parses operator schemas: accepts exactly what ``torch._C.parse_schema(s, False)`` accepts, and locates mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import cast

from opgen.diagnostics import Diagnostic, fix_text
from opgen.lalr.token import Token
from opgen.records import dataclass
from opgen.schema import checks
from opgen.schema.checks import TypeNames
from opgen.schema.defaults import read_default
from opgen.schema.errors import SchemaError
from opgen.schema.grammar import parse
from opgen.schema.nodes import Argument, FunctionSchema, Return
from opgen.schema.regular import RegularReader
from opgen.schema.tree import RawArgument, RawItem, RawSchema, token_span
from opgen.source import Span, Text


@dataclass(frozen=True, slots=True)
class ParseResult:
    """A schema, or ``None`` and at least one error."""

    schema: FunctionSchema | None
    errors: tuple[SchemaError, ...] = ()


def parse_schema(text: str, opaque_types: frozenset[str] = frozenset()) -> ParseResult:
    """Parse one schema, which may contain line breaks inside of brackets and comments.

    Only the first syntax error is reported, but all other mistakes. Names of TorchBind classes are not checked, since
    only a running process knows which are registered.
    """
    return _reader(opaque_types, text.startswith(("aten::", "prim::"))).read(text)


def check_schema(
    text: Text, opaque_types: frozenset[str] = frozenset()
) -> tuple[FunctionSchema | None, list[Diagnostic]]:
    """Parse one schema of a file; return it, or ``None`` after a mistake, and the diagnostics."""
    result = parse_schema(text.value, opaque_types)
    found = [_diagnostic(text, error) for error in result.errors]
    return result.schema, found


@lru_cache(maxsize=16)
def _reader(opaque_types: frozenset[str], has_variables: bool) -> Reader:  # noqa: FBT001 - positional, as a cache key
    return Reader(TypeNames(opaque_types, has_variables))


def _diagnostic(text: Text, error: SchemaError) -> Diagnostic:
    fix = None
    if error.replacement is not None:
        title = f"write `{error.replacement}`"
        fix = fix_text(text, [(error.span, error.replacement)], title, error.applicability)
    return Diagnostic(error.code, error.message, text.locate(error.span), error.help, fix=fix)


class Reader:
    """Reads schemas that may use the same type names, and caches what it has read."""

    def __init__(self, names: TypeNames) -> None:
        self._names = names
        self._regular = RegularReader(self._read_argument, self._read_return)

    def read(self, text: str) -> ParseResult:
        """Parse a schema, by the fast path of ``regular`` if it is laid out regularly."""
        schema = self._regular.read(text)
        if schema is None or any(checks.check_name(schema.name)) or any(checks.check_order(schema.arguments)):
            return self.read_in_full(text)
        return ParseResult(schema)

    def read_in_full(self, text: str) -> ParseResult:
        """Parse a schema by the grammar, without the fast path."""
        raw: RawSchema | None = parse(text, "schema")
        if raw is None:
            from opgen.schema.syntax_errors import syntax_error  # noqa: PLC0415 - imports Lark and a table of mistakes

            return ParseResult(None, (syntax_error(text),))
        errors: list[SchemaError] = []
        arguments, is_vararg = self._arguments(raw.arguments, errors)
        returns, is_varret = self._returns(raw.returns, errors)
        span = Span(raw.name.span.start, raw.returns_span.end)
        schema = FunctionSchema(raw.name, arguments, returns, is_vararg, is_varret, span, raw.returns_span)
        errors += checks.check_name(raw.name)
        # An argument with a wrong default seems to have none, so the order is only checked without other errors.
        errors = errors or list(checks.check_order(arguments, is_vararg=is_vararg))
        if errors:
            return ParseResult(None, tuple(sorted(errors, key=lambda error: error.span)))
        return ParseResult(schema)

    def _arguments(self, items: Sequence[RawItem], errors: list[SchemaError]) -> tuple[tuple[Argument, ...], bool]:
        arguments: list[Argument] = []
        kwarg_only = False
        dots = None
        for item in items:
            if dots:
                errors.append(checks.misplaced_dots(token_span(dots), "arguments"))
                dots = None
            if isinstance(item, RawArgument):
                arguments.append(self._argument(item, errors, kwarg_only=kwarg_only))
            elif item == "*":
                kwarg_only = True
            else:
                dots = item
        return tuple(arguments), dots is not None

    def _returns(self, items: Sequence[RawItem], errors: list[SchemaError]) -> tuple[tuple[Return, ...], bool]:
        returns: list[Return] = []
        dots = None
        for item in items:
            if dots:
                errors.append(checks.misplaced_dots(token_span(dots), "returns"))
                dots = None
            if isinstance(item, RawArgument):
                returns.append(self._return(item, errors))
            else:
                dots = item
        return tuple(returns), dots is not None

    def _read_argument(self, text: str) -> Argument | None:
        errors: list[SchemaError] = []
        raw = parse(text, "argument")
        argument = None if raw is None else self._argument(raw, errors, kwarg_only=False)
        return None if errors else argument

    def _read_return(self, text: str) -> Return | None:
        errors: list[SchemaError] = []
        raw = parse(text, "result")
        result = None if raw is None else self._return(raw, errors)
        return None if errors else result

    def _argument(self, raw: RawArgument, errors: list[SchemaError], *, kwarg_only: bool) -> Argument:
        found = list(self._check(raw))
        name = cast("Token", raw.name)  # the grammar requires one
        default = None
        if raw.default is not None and not found:
            read = read_default(raw.type, raw.default, name)
            if isinstance(read, SchemaError):
                found.append(read)
            else:
                default = read
        errors += found
        return Argument(raw.type, str(name), default, kwarg_only, raw.span, token_span(name))

    def _return(self, raw: RawArgument, errors: list[SchemaError]) -> Return:
        errors += self._check(raw)
        name_span = Span(raw.span.end, raw.span.end) if raw.name is None else token_span(raw.name)
        return Return(raw.type, None if raw.name is None else str(raw.name), raw.span, name_span)

    def _check(self, raw: RawArgument) -> Iterator[SchemaError]:
        yield from tuple(checks.check_nesting(raw.type)) or checks.check_type(raw.type, self._names)
        if raw.bad_size is not None:
            yield checks.unreadable_size(raw.bad_size, token_span(raw.bad_size))
