"""Joins the registrations that were read from all sources by op."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property

from opgen.diagnostics import Diagnostic
from opgen.model.build_op import build_op
from opgen.model.op import Library, Op
from opgen.readers.registrations import Condition, Definition, Implementation, Registrations
from opgen.records import dataclass
from opgen.rules.registrations.live import completed, is_live
from opgen.schema.parser import check_schema
from opgen.source import Text
from opgen.spec.library import LibrarySpec, OpSpec

_NAME = re.compile(r"\s*((?:\w+::)?\w+(?:\.\w+)?)\s*(?=\(|$)")
CORE = frozenset({"aten", "prim", "prims"})
"""The namespaces of PyTorch's own ops; only their schemas are checked, since torchgen generates kernels and fakes."""

_NEWEST_TORCH = (2, 14)
"""The target of sources that state none, so that nothing is reported which any release supports."""


@dataclass(frozen=True, eq=False)
class Defined:
    """A definition with its resolved op.

    Attributes:
        statement: the definition.
        name: the qualified name; ``None`` if it can't be read.
        op: the op; ``None`` if the schema can't be read, or if the definition only has a name.
        library: all ops of its namespace that are defined for the same ABI.
        errors: the syntax errors in the schema.
    """

    statement: Definition
    name: str | None
    op: Op | None
    library: Library
    errors: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, eq=False)
class JoinedOp:
    """All statements about one op, those of every file and language, in the order that they were read."""

    name: str
    definitions: tuple[Defined, ...] = ()
    implementations: tuple[Implementation, ...] = ()

    @property
    def op(self) -> Op | None:
        """The op of the first definition whose schema could be read."""
        return next((one.op for one in self.definitions if one.op is not None), None)


@dataclass(frozen=True, eq=False)
class Joined:
    """The input of rules over registrations.

    Attributes:
        registrations: all statements.
        definitions: the statements that define ops, in their order.
        ops: the statements by the qualified name of their op, ``mylib::scale.out``.
        declared: the qualified names of the ops in ``ops.yaml`` files that were read in the same run.
        libraries: the libraries of those ``ops.yaml`` files.
        live: qualified name -> definition in a live process, for ops whose source or declaration was read as well; they
            aren't in ``ops``, where they would be checked twice.
    """

    registrations: Registrations
    definitions: tuple[Defined, ...] = ()
    ops: Mapping[str, JoinedOp] = field(default_factory=dict)
    declared: frozenset[str] = frozenset()
    libraries: tuple[Library, ...] = ()
    live: Mapping[str, Defined] = field(default_factory=dict)

    def is_composite(self, defined: Defined) -> bool:
        """Whether an op has a CompositeImplicitAutograd kernel, which serves all backends and autograd."""
        given = defined.statement.language == "cpp" and defined.statement.function is not None
        made = self.ops[defined.name].implementations if defined.name is not None else ()
        return given or any("CompositeImplicitAutograd" in one.keys for one in made if one.role == "kernel")

    def statement_of(self, op: Op) -> Definition | None:
        """Return the statement that an op was read from."""
        definitions = self.ops[op.qualified_name].definitions if op.qualified_name in self.ops else ()
        return next((one.statement for one in definitions if one.op is op), None)

    @cached_property
    def fakes_elsewhere(self) -> frozenset[str]:
        """The names, without their namespaces, of ops that have a fake and that no source defines."""
        undefined = (one for one in self.ops.values() if not one.definitions)
        return frozenset(
            one.name.partition("::")[2] for one in undefined if any(made.role == "fake" for made in one.implementations)
        )

    @cached_property
    def type_aliases(self) -> Mapping[str, str]:
        """The type aliases in C++ sources (``using``, ``typedef``): name -> type."""
        from opgen.readers.cpp.aliases import aliases  # noqa: PLC0415 - imports tree-sitter

        return aliases(source.text for path, source in self.registrations.sources.items() if _is_cpp(path))

    @cached_property
    def has_python(self) -> bool:
        """Whether a Python source was read, with or without registrations."""
        return any(_is_python(path) for path in self.registrations.sources)

    @cached_property
    def has_cpp(self) -> bool:
        """Whether a C++ source was read, with or without registrations."""
        return any(_is_cpp(path) for path in self.registrations.sources)


def _is_python(path: str) -> bool:
    return path.endswith((".py", ".pyi"))


def _is_cpp(path: str) -> bool:
    return not _is_python(path) and not is_live(path)


def is_unknown(statement: Definition) -> bool:
    """Whether a Python definition has `mutates_args="unknown"`."""
    return statement.mutates is not None and [name.value for name in statement.mutates] == ["unknown"]


MOST_BESIDE = 32
"""How many statements about one op are compared with each other one is: of a longer list the first ones."""


def exclude_each_other(first: Iterable[Condition], second: Iterable[Condition]) -> bool:
    """Whether no build has both of two statements under these ``#if`` conditions."""
    others = tuple(second)
    return any(mine.excludes(its) for mine in first for its in others)


def join(registrations: Registrations, libraries: Iterable[Library] = ()) -> Joined:
    """Join statements by op, and resolve their schemas.

    Args:
        registrations: the statements of all sources.
        libraries: the libraries of ``ops.yaml`` files, whose ops the sources may implement.
    """
    declarations = tuple(libraries)
    with_effect = {one.op.value.strip() for one in registrations.implementations if one.role == "effect"}
    every = _defined(registrations.definitions, with_effect, _oldest_torch(registrations, declarations))
    declared = frozenset(op.qualified_name for library in declarations for op in library.ops)
    in_source = {one.name for one in every if one.name and one.op and one.statement.language != "live"}
    known = in_source | declared
    live = {one.name: one for one in every if one.name in known and one.statement.language == "live"}
    definitions = tuple(one for one in every if one.statement.language != "live" or one.name not in known)
    grouped: dict[str, tuple[list[Defined], list[Implementation]]] = {}
    for one in definitions:
        if one.name is not None:
            grouped.setdefault(one.name, ([], []))[0].append(one)
    for implementation in completed(registrations, known) if live else registrations.implementations:
        grouped.setdefault(implementation.op.value.strip(), ([], []))[1].append(implementation)
    ops = {name: JoinedOp(name, tuple(defined), tuple(made)) for name, (defined, made) in grouped.items()}
    return Joined(registrations, definitions, ops, declared, declarations, live)


def _oldest_torch(registrations: Registrations, libraries: Iterable[Library]) -> tuple[int, int]:
    """Return the release that C++ on the stable ABI targets; the newest one if none is stated."""
    if all(one.abi == "classic" for one in registrations.definitions):
        return _NEWEST_TORCH
    from opgen.rules.registrations.cpp.target import stable_target  # noqa: PLC0415 - imports the table of features

    target = stable_target(registrations, libraries)
    return target.release if target is not None else _NEWEST_TORCH


def _defined(
    statements: Iterable[Definition], with_effect: set[str], stable_torch: tuple[int, int]
) -> tuple[Defined, ...]:
    """Build the ops; those of one namespace and ABI form a library."""
    specs: dict[tuple[str, bool, str], LibrarySpec] = {}
    members: dict[tuple[str, bool, str], list[Op]] = {}
    read = []
    for statement in statements:
        key = (statement.namespace, statement.language == "cpp", statement.abi)
        if key not in specs:
            specs[key] = _library_spec(statement, stable_torch)
        spec = specs[key]
        name, op, errors = _read(statement, spec, with_effect)
        read.append((statement, name, op, key, errors))
        members.setdefault(key, []).extend([op] if op is not None else [])
    libraries = {key: Library(spec, tuple(members[key])) for key, spec in specs.items()}
    return tuple(Defined(statement, name, op, libraries[key], errors) for statement, name, op, key, errors in read)


def _library_spec(statement: Definition, stable_torch: tuple[int, int]) -> LibrarySpec:
    path = statement.location.source.path
    return LibrarySpec(
        path=path,
        files=(path,),
        version=1,
        namespace=Text.of(statement.namespace),
        package=statement.namespace,
        torch=stable_torch if statement.abi == "stable" else _NEWEST_TORCH,
        abi=statement.abi,
        define_in="cpp" if statement.language == "cpp" else "python",
    )


def _read(
    statement: Definition, library: LibrarySpec, with_effect: set[str]
) -> tuple[str | None, Op | None, tuple[Diagnostic, ...]]:
    begun = _NAME.match(statement.schema.value)
    name = None
    if begun is not None:
        name = begun[1] if "::" in begun[1] else f"{statement.namespace}::{begun[1]}"
    if statement.is_name_only or "{{" in statement.schema.value:  # the source is a template
        return name, None, ()
    schema, errors = check_schema(statement.schema)
    if schema is None:
        return name, None, tuple(errors)
    spec = OpSpec(
        func=statement.schema,
        schema=schema,
        location=statement.location,
        tags=statement.tags,
        side_effects=name in with_effect,
        registered=None if statement.language == "cpp" else Text.of(statement.location.source.path),
    )
    op, _ = build_op(spec, library)
    return op.qualified_name, op, tuple(errors)
