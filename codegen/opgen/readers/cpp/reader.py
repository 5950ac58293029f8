"""Reading the registrations of C++ and CUDA sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from opgen.readers.cpp.blocks import Block, Headless, blocks, helpers, resolve
from opgen.readers.cpp.branches import variants
from opgen.readers.cpp.calls import Call, calls, registering_macros
from opgen.readers.cpp.lookup import Functions
from opgen.readers.cpp.macros import Macro, macros_of
from opgen.readers.cpp.region import Region
from opgen.readers.cpp.statements import Context, Statement, arity, operator, read
from opgen.readers.registrations import Definition, Implementation, PythonModule, Registrations, Unread
from opgen.source import Location, Source, Span

_WORD = re.compile(r"[A-Za-z_]\w*")
_LEGACY = re.compile(r"\bRegisterOperators\b\s*(?:\w+\s*)?[({](?!\s*::)")
_Kind = TypeVar("_Kind", Definition, Implementation, PythonModule, Unread)


def read_cpp(sources: Iterable[Source], defines: Mapping[str, str]) -> Registrations:
    """Read every registration of C++ and CUDA sources, those of all branches of ``#if``.

    Args:
        sources: files that belong together: headers bring macros, and the functions that registrations name are looked up
            in all of them.
        defines: macros that the build defines, such as ``TORCH_EXTENSION_NAME``, whose value a namespace may need.
    """
    known = tuple(sources)
    given = {name: Macro(name, None, value) for name, value in defines.items()}
    own = {source: {macro.name: macro for macro in macros_of(source)} for source in known}
    shared: dict[str, Macro] = {}
    for macros in own.values():
        shared = {**macros, **shared}
    scope = {source: {**shared, **own[source], **given} for source in known}

    found, unread = _blocks(known, scope)
    listed = _calls(found, scope)
    functions = _functions(known, listed)
    statements = list(_statements(listed, scope, functions))
    return Registrations(
        definitions=_of(Definition, statements),
        implementations=_of(Implementation, statements),
        unread=(*unread, *_of(Unread, statements)),
        python_modules=_of(PythonModule, statements),
        sources={source.path: source for source in known},
    )


def _of(kind: type[_Kind], statements: Iterable[Statement]) -> tuple[_Kind, ...]:
    return tuple(statement for statement in statements if isinstance(statement, kind))


def _blocks(sources: Iterable[Source], scope: Mapping[Source, Mapping[str, Macro]]) -> tuple[list[Block], list[Unread]]:
    found: list[Block] = []
    unread: dict[tuple[str, Span], Unread] = {}
    for source in sources:
        makers = [name for name, macro in scope[source].items() if "TORCH_LIBRARY" in macro.body]
        if not any(word in source.text for word in ("TORCH_LIBRARY", "Library", "RegisterOperators", *makers)):
            continue
        for variant in variants(source):
            region = Region.of(variant)
            reasons: list[tuple[Span, str]] = [
                (Span(*match.span()), "torch::RegisterOperators is the old interface")
                for match in _LEGACY.finditer(region.code)
            ]
            for block in (*blocks(region, scope[source]), *helpers(region)):
                if isinstance(block, Headless):
                    reasons.append((block.region.place(block.span), "no block that could be read follows"))
                else:
                    found.append(block)
            for span, reason in reasons:
                unread[source.path, span] = Unread(Location(source, span), reason)
    resolve(found)
    return found, list(unread.values())


def _calls(found: Iterable[Block], scope: Mapping[Source, Mapping[str, Macro]]) -> list[Call]:
    """List the statements; one that several choices of branches have is listed once."""
    registering: dict[Source, frozenset[str]] = {}
    listed: dict[object, Call] = {}
    for block in found:
        source = block.region.text.source
        if source not in registering:
            registering[source] = registering_macros(scope[source])
        for call in calls(block, scope[source], registering[source]):
            key = (source.path, call.place.start, call.text.value, frozenset(block.targets))
            listed.setdefault(key, call)
    order = {source: index for index, source in enumerate(scope)}
    return sorted(listed.values(), key=lambda call: (order[call.region.text.source], call.place.start))


def _functions(sources: Iterable[Source], listed: Iterable[Call]) -> Functions:
    wanted = frozenset(word for call in listed for word in _WORD.findall(call.region.code, *(call.span or Span(0, 0))))
    functions = Functions(wanted)
    for source in sources:
        if functions.mentioned_in(source.text):
            for variant in variants(source):
                functions.add(Region.of(variant))
    return functions


def _statements(
    listed: Iterable[Call], scope: Mapping[Source, Mapping[str, Macro]], functions: Functions
) -> Iterator[Statement]:
    """Read the statements, definitions first: how many arguments an op has tells overloads of its kernel apart."""
    arities: dict[str, int] = {}
    for call in sorted(listed, key=lambda call: call.method != "def"):
        for statement in read(call, Context(scope[call.region.text.source], functions, arities)):
            yield statement
            if isinstance(statement, Definition) and (count := arity(statement.schema.value)) is not None:
                name = statement.schema.part(Span(0, statement.schema.value.index("(")))
                arities[operator(statement.namespace, name).value.strip()] = count
