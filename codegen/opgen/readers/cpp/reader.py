"""Reads the registrations in C++ and CUDA sources."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TypeVar

from opgen.readers import registrations
from opgen.readers.cpp.aliases import aliases
from opgen.readers.cpp.blocks import Block, Headless, blocks, helpers, makes_blocks, resolve
from opgen.readers.cpp.calls import Call, calls, registering_macros
from opgen.readers.cpp.file import File
from opgen.readers.cpp.lookup import Functions
from opgen.readers.cpp.macros import Macro
from opgen.readers.cpp.names import arity, operator
from opgen.readers.cpp.statements import Context, Statement, read
from opgen.readers.cpp.stores.summary import Stores
from opgen.readers.registrations import Definition, Implementation, PythonModule, Registrations, Unread
from opgen.records import dataclass
from opgen.source import Location, Source, Span

_WORD = re.compile(r"[A-Za-z_]\w*")
_LEGACY = re.compile(r"\bRegisterOperators\b\s*(?:\w+\s*)?[({](?!\s*::)")
_Kind = TypeVar("_Kind", Definition, Implementation, PythonModule, Unread)


@dataclass(frozen=True)
class _Macros:
    """The macros of all files.

    For a file, macros of the build take precedence over those that the file defines, and these over other files'
    macros.

    Attributes:
        files: file -> its macros by name.
        makers: the names of macros that make library blocks.
        registering: the names of macros that call methods of a library.
    """

    files: Mapping[Source, Mapping[str, Macro]]
    makers: tuple[str, ...]
    registering: frozenset[str]

    @staticmethod
    def of(files: Iterable[File], defines: Mapping[str, str]) -> _Macros:
        own = {file.source: {macro.name: macro for macro in file.macros} for file in files}
        every = [macro for macros in own.values() for macro in macros.values()]
        shared = {macro.name: macro for macro in reversed(every)}
        defined = {name: Macro(name, None, value) for name, value in defines.items()}
        return _Macros(
            files={source: ChainMap(defined, macros, shared) for source, macros in own.items()},
            makers=tuple(dict.fromkeys(macro.name for macro in every if makes_blocks(macro))),
            registering=registering_macros(every),
        )


def read_cpp(sources: Iterable[Source], defines: Mapping[str, str]) -> Registrations:
    """Read every registration of C++ and CUDA sources, those of all branches of ``#if``.

    Args:
        sources: files that belong together: macros and the functions that registrations name are looked up in all of
            them.
        defines: macros that the build defines, such as ``TORCH_EXTENSION_NAME``, which may be a namespace.
    """
    files = [File(source) for source in sources]
    macros = _Macros.of(files, defines)
    found, unread = _blocks(files, macros)
    listed = _calls(found, macros)
    aliases_of_types = cache(lambda: aliases(file.source.text for file in files))
    statements = list(_statements(listed, macros, _functions(files, listed), aliases_of_types))
    return Registrations(
        definitions=_of(Definition, statements),
        implementations=_of(Implementation, statements),
        unread=(*unread, *_of(Unread, statements)),
        python_modules=_of(PythonModule, statements),
        blocks=tuple(_listed(found)),
        sources={file.source.path: file.source for file in files},
        defines=defines,
        bodies=(Stores(files, macros.files),),
    )


def _of(kind: type[_Kind], statements: Iterable[Statement]) -> tuple[_Kind, ...]:
    return tuple(statement for statement in statements if isinstance(statement, kind))


def _blocks(files: Iterable[File], macros: _Macros) -> tuple[list[Block], list[Unread]]:
    words = ("TORCH_LIBRARY", "Library", "RegisterOperators", *macros.makers)
    registers = re.compile("|".join(map(re.escape, words)))
    found: list[Block] = []
    unread: dict[tuple[str, Span], Unread] = {}
    for file in files:
        for region in file.regions if registers.search(file.source.text) else ():
            reasons = [
                (Span(*match.span()), "torch::RegisterOperators is the old interface")
                for match in _LEGACY.finditer(region.code)
            ]
            if region.variant.is_incomplete:
                reasons.append((Span(0, 0), "there are more branches of one #if than are read"))
            for block in (*blocks(region, macros.files[file.source], macros.makers), *helpers(region)):
                if isinstance(block, Headless):
                    reasons.append((block.region.place(block.span), "no block that could be read follows"))
                else:
                    found.append(block)
            for span, reason in reasons:
                unread[file.source.path, span] = Unread(Location(file.source, span), reason)
    return resolve(found), list(unread.values())


def _listed(found: Iterable[Block]) -> Iterator[registrations.Block]:
    """Yield the library blocks, each once though several variants of a file have it."""
    seen: set[tuple[str, Span, str | None]] = set()
    for block in found:
        source = block.region.text.source
        for target in block.targets if block.kind is not None else ():
            key = (source.path, block.head, target.key)
            if block.kind is not None and key not in seen:
                seen.add(key)
                place = Location(source, block.head)
                conditions = block.region.variant.conditions(block.head)
                yield registrations.Block(target.namespace, block.kind, place, target.key, block.abi, conditions)


def _calls(found: Iterable[Block], macros: _Macros) -> list[Call]:
    """Return the statements, each once though several variants of a file have it."""
    listed: dict[object, Call] = {}
    for block in found:
        source = block.region.text.source
        for call in calls(block, macros.files[source], macros.registering):
            key = (source.path, call.place.start, call.text.value, frozenset(block.targets), block.abi)
            listed.setdefault(key, call)
    order = {source: index for index, source in enumerate(macros.files)}
    return sorted(listed.values(), key=lambda call: (order[call.region.text.source], call.place.start))


def _functions(files: Iterable[File], listed: Iterable[Call]) -> Functions:
    wanted = frozenset(word for call in listed for word in _WORD.findall(call.region.code, *(call.span or Span(0, 0))))
    functions = Functions(wanted)
    for file in files:
        for region in file.regions if functions.mentioned_in(file.opened) else ():
            functions.add(region)
    return functions


def _statements(
    listed: Iterable[Call], macros: _Macros, functions: Functions, types: Callable[[], Mapping[str, str]]
) -> Iterator[Statement]:
    """Read the statements, definitions first, since the number of an op's arguments selects a kernel's overload."""
    arities: dict[str, int] = {}
    for call in sorted(listed, key=lambda call: call.method != "def"):
        context = Context(macros.files[call.region.text.source], functions, arities, types)
        for statement in read(call, context):
            yield statement
            if isinstance(statement, Definition) and (count := arity(statement.schema.value)) is not None:
                name = statement.schema.part(Span(0, statement.schema.value.index("(")))
                arities[operator(statement.namespace, name).value.strip()] = count
