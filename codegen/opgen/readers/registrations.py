"""The records of registrations with PyTorch's dispatcher, one for each statement, with its location.

Every reader makes them: for C++ through tree-sitter, for Python through ``ast``, for a live process through schema
objects. Nothing is checked here; the rules decide what several statements, perhaps in different files, mean together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from opgen.records import dataclass
from opgen.source import Location, Source, Text

Language: TypeAlias = Literal["cpp", "python", "live"]
Abi: TypeAlias = Literal["classic", "stable"]

Role: TypeAlias = Literal["kernel", "fake", "autograd", "setup_context", "autocast", "vmap", "torch_dispatch", "effect"]
"""The role in which a function is registered.

``autograd`` is the backward formula of Python's ``register_autograd``; a C++ function on an Autograd key is a
``kernel`` with that key. ``autocast`` and ``effect`` may have no function, if a dtype or an effect type was registered.
"""


_NO_BACKENDS = ("AD", "Autocast", "Autograd", "BackendSelect", "Func", "Functionalize", "Meta", "Python")


def is_backend(key: str) -> bool:
    """Whether a dispatch key is that of a backend, or of all of them: ``CPU``, ``CompositeExplicitAutograd``.

    The other keys are those of functionalities in front of backends (``c10/core/DispatchKey.h``).
    """
    return not key.startswith(_NO_BACKENDS)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function.

    Attributes:
        name: its name; empty if C++ leaves it out.
        type: its type as written, with normalised whitespace; empty for Python without annotation.
        location: its location.
        default: its default as written, ``None`` without one.
        kind: ``variadic`` for ``*args``, ``keywords`` for ``**kwargs``; in C++ always ``positional``.
    """

    name: str
    type: str
    location: Location
    default: str | None = None
    kind: Literal["positional", "keyword_only", "variadic", "keywords"] = "positional"


@dataclass(frozen=True, slots=True)
class Function:
    """A function that a registration names, as far as its definition or declaration was found in the sources.

    Attributes:
        name: the name by which it is referred to: ``ns::scale_cpu``, ``fakes.scale``; empty for a lambda.
        location: the location of its head.
        parameters: its parameters; ``None`` if only the name is known.
        result: the return type as written.
        body: the text of the body; ``None`` if it was not found.
        node: the reader's node of the definition (an ``ast`` node, a ``cpp.syntax.Parsed``), for rules about that
            language.
        conditions: the branches of ``#if`` around the definition.
        alternatives: definitions of the same function in other branches, of which a build has one.
    """

    name: str
    location: Location
    parameters: tuple[Parameter, ...] | None = None
    result: str = ""
    body: Text | None = None
    node: object = field(default=None, compare=False, repr=False)
    conditions: tuple[Condition, ...] = ()
    alternatives: tuple[Function, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A branch of ``#if``, or of a Python ``if``, around a statement; the statements of all branches are read.

    Attributes:
        text: the condition as written: ``#ifdef X``, ``#elif Y``, ``#else of #ifdef X``.
        location: the location of the directive.
        opening: the location of the ``#if``, which all its branches share.
    """

    text: str
    location: Location
    opening: Location | None = None

    def excludes(self, other: Condition) -> bool:
        """Whether both can't hold together: two branches of one ``#if``, or ``#ifdef X`` and ``#ifndef X``."""
        if self.opening is not None and self.opening == other.opening:
            return self.location != other.location
        mine, others = self.text.split(maxsplit=1), other.text.split(maxsplit=1)
        return {mine[0], others[0]} == {"#ifdef", "#ifndef"} and mine[1:] == others[1:]


@dataclass(frozen=True, slots=True)
class Uninferable:
    """A reason why PyTorch can't infer a schema from a Python signature, and ``custom_op`` or ``infer_schema`` raises.

    Attributes:
        reason: the mistake, in the words of a diagnostic.
        location: the parameter, the return annotation, or ``mutates_args``.
        parameter: its name, ``return`` for the result, empty where it is about ``mutates_args`` itself.
        suggestion: the type of the schema language that an explicit ``schema=`` could use there, ``Tensor[]?``; empty
            if there is none.
    """

    reason: str
    location: Location
    parameter: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """A statement that defines an op: ``m.def``, ``Library.define``, ``custom_op`` ...

    Attributes:
        namespace: ``mylib``; a macro that is not defined for the reader stays as written, ``TORCH_EXTENSION_NAME``.
        schema: the text of the schema with the location of each character, or the one inferred from a Python signature;
            it begins with the name, perhaps with a namespace of its own.
        form: the form of the statement: ``m.def``, ``ops.def``, ``define``, ``custom_op``, ``triton_op``,
            ``infer_schema``, ``live``, or the name of a project's own wrapper.
        location: the location of the statement.
        language: the language of the source.
        inferred: whether the schema was inferred from a signature, at which ``schema`` is then located.
        is_name_only: whether ``schema`` is only a name: for ``m.def("name", &f)``, whose schema PyTorch infers from the
            function's type, or in Python if it can't be inferred (see ``uninferable``, or an ``Unread``).
        tags: the names of ``torch.Tag`` members.
        function: the kernel given at the definition, for every backend (``CompositeImplicitAutograd``, or the kernel of
            a ``custom_op``).
        abi: the ABI in C++.
        conditions: the ``#if`` branches around the statement.
        mutates: ``mutates_args`` in Python as written: names, or the only text ``unknown``; ``None`` without one.
        mutates_at: the location of ``mutates_args``, or of the whole call.
        uninferable: the reasons why PyTorch can't infer the schema.
    """

    namespace: str
    schema: Text
    form: str
    location: Location
    language: Language
    inferred: bool = False
    is_name_only: bool = False
    tags: tuple[Text, ...] = ()
    function: Function | None = None
    abi: Abi = "classic"
    conditions: tuple[Condition, ...] = ()
    mutates: tuple[Text, ...] | None = None
    mutates_at: Location | None = None
    uninferable: tuple[Uninferable, ...] = ()


@dataclass(frozen=True, slots=True)
class Implementation:
    """A statement that registers a function for an op: ``m.impl``, ``register_fake``, ``register_autograd`` ...

    Attributes:
        op: ``namespace::name.overload`` as far as it is known; the namespace as in ``Definition``.
        role: the role in which the function is registered.
        location: the location of the statement.
        language: the language of the source.
        function: the function; ``None`` if there is none, or if it isn't known.
        keys: the dispatch keys, ``("CPU",)``, also for Python's ``device_types``; empty for roles without one.
        form: the form of the statement, as in ``Definition``.
        abi: the ABI in C++.
        boxed: whether it is boxed by ``TORCH_BOX`` or ``makeFromBoxedFunction``.
        fallthrough: whether it is a fallthrough, as ``torch::CppFunction::makeFallthrough``.
        conditions: the ``#if`` branches around the statement.
    """

    op: Text
    role: Role
    location: Location
    language: Language
    function: Function | None = None
    keys: tuple[str, ...] = ()
    form: str = "m.impl"
    abi: Abi = "classic"
    boxed: bool = False
    fallthrough: bool = False
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """A registration that can't be read, as a schema from a variable; it is counted and shown, never guessed.

    ``namespaces`` are those that it registers for; empty if they aren't known either.
    """

    location: Location
    reason: str
    namespaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ShortLived:
    """A Python ``Library`` object that is finalised while its definitions and implementations are still needed.

    Attributes:
        name: the variable; empty if it was assigned to none.
        namespace: its namespace, as far as it is known.
        location: the location of its constructor.
        end: the end of its life: ``local``: of the function that it is local to; ``unbound``: at once; ``rebound``,
            ``deleted``: when its only name is assigned again or deleted; ``scoped``: of the block of
            ``_scoped_library``, which is intended.
    """

    name: str
    namespace: str
    location: Location
    end: Literal["local", "unbound", "rebound", "deleted", "scoped"]


@dataclass(frozen=True, slots=True)
class Load:
    """A statement that loads a binary with registrations: ``torch.ops.load_library``."""

    location: Location
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A block ``TORCH_LIBRARY(ns, m)``, ``TORCH_LIBRARY_FRAGMENT`` or ``TORCH_LIBRARY_IMPL``.

    Attributes:
        namespace: its namespace.
        kind: ``library`` owns the namespace, which only one block in a process may do.
        location: the location of its head.
        key: the dispatch key of an ``impl`` block.
        abi: the ABI.
        conditions: the ``#if`` branches around it.
    """

    namespace: str
    kind: Literal["library", "fragment", "impl"]
    location: Location
    key: str | None = None
    abi: Abi = "classic"
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonModule:
    """``m.set_python_module("mylib.fakes")``: the Python module that holds the fakes of a namespace's ops."""

    namespace: str
    module: Text
    location: Location
    form: str = "m.set_python_module"
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Registrations:
    """All registrations in some sources, in order.

    Attributes:
        definitions: the statements that define ops.
        implementations: the statements that register functions for ops.
        unread: the registrations that can't be read.
        short_lived: ``Library`` objects that don't live long enough.
        loads: the statements that load a binary.
        python_modules: the statements ``m.set_python_module``.
        blocks: the library blocks.
        failures: sources that can't be read at all: live modules that can't be imported, whose source is their name.
        silent: live modules that were imported and register nothing.
        sources: shown path -> source.
        defines: the macros of the build that are known.
        bodies: of C++, the analyses of function bodies, each a ``cpp.stores.summary.Stores``.
    """

    definitions: tuple[Definition, ...] = ()
    implementations: tuple[Implementation, ...] = ()
    unread: tuple[Unread, ...] = ()
    short_lived: tuple[ShortLived, ...] = ()
    loads: tuple[Load, ...] = ()
    python_modules: tuple[PythonModule, ...] = ()
    blocks: tuple[Block, ...] = ()
    failures: tuple[Unread, ...] = ()
    silent: tuple[Location, ...] = ()
    sources: Mapping[str, Source] = field(default_factory=dict)
    defines: Mapping[str, str] = field(default_factory=dict)
    bodies: tuple[object, ...] = field(default=(), compare=False, repr=False)

    def __add__(self, other: Registrations) -> Registrations:
        """Join the registrations of two readers."""
        return Registrations(
            self.definitions + other.definitions,
            self.implementations + other.implementations,
            self.unread + other.unread,
            self.short_lived + other.short_lived,
            self.loads + other.loads,
            self.python_modules + other.python_modules,
            self.blocks + other.blocks,
            self.failures + other.failures,
            self.silent + other.silent,
            {**self.sources, **other.sources},
            {**self.defines, **other.defines},
            self.bodies + other.bodies,
        )
