"""What a source says to PyTorch's dispatcher, statement by statement, each with its place.

Every reader yields this: C++ through tree-sitter, Python through ``ast``, a live process through schema objects. Nothing is
judged here; what several statements mean together, perhaps of different files, is the business of the rules.
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
"""What a function is registered as. ``autograd`` is the backward formula of Python's ``register_autograd``; a C++ function
on an Autograd key is a ``kernel`` with that key. ``autocast`` and ``effect`` may come without a function: a dtype, an
effect type was registered."""


_NO_BACKENDS = ("AD", "Autocast", "Autograd", "BackendSelect", "Func", "Functionalize", "Meta", "Python")


def is_backend(key: str) -> bool:
    """Whether a dispatch key is that of a backend, or of all of them: ``CPU``, ``CompositeExplicitAutograd``.

    The others are those of what happens to a call on its way there (``c10/core/DispatchKey.h``).
    """
    return not key.startswith(_NO_BACKENDS)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function.

    Attributes:
        name: empty where C++ leaves it out.
        type: as it is written, whitespace made regular; empty where Python has no annotation.
        default: as it is written, ``None`` without one.
        kind: ``*args`` and ``**kwargs`` are ``variadic`` and ``keywords``; in C++ all are ``positional``.
    """

    name: str
    type: str
    location: Location
    default: str | None = None
    kind: Literal["positional", "keyword_only", "variadic", "keywords"] = "positional"


@dataclass(frozen=True, slots=True)
class Function:
    """A function that a registration names, as far as its definition or declaration was found among the sources read.

    Attributes:
        name: as it is called: ``ns::scale_cpu``, ``fakes.scale``; empty for a lambda.
        parameters: ``None`` if only the name is known.
        result: the return type as written.
        body: the text of the body, where rules that look at statements find them.
        node: the reader's own node of the definition (an ``ast`` node, a ``cpp.syntax.Parsed``), for rules of that language.
        conditions: the branches of ``#if`` that the definition stands in.
        alternatives: definitions of the same function in other branches: a build has one of them.
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
    """A branch of ``#if`` (or of a Python ``if``) that a statement stands in, as written: of two branches both are read.

    Attributes:
        text: ``#ifdef X``, ``#elif Y``, ``#else of #ifdef X``.
        opening: where the first of the branches begins: what two branches of one ``#if`` share.
    """

    text: str
    location: Location
    opening: Location | None = None

    def excludes(self, other: Condition) -> bool:
        """Whether both can't hold: two branches of one ``#if``, or ``#ifdef X`` and ``#ifndef X``."""
        if self.opening is not None and self.opening == other.opening:
            return self.location != other.location
        mine, others = self.text.split(maxsplit=1), other.text.split(maxsplit=1)
        return {mine[0], others[0]} == {"#ifdef", "#ifndef"} and mine[1:] == others[1:]


@dataclass(frozen=True, slots=True)
class Uninferable:
    """Why PyTorch refuses to infer a schema from a Python signature: the call of ``custom_op`` or ``infer_schema`` raises.

    Attributes:
        reason: what is wrong, in the words of a diagnostic.
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
        schema: the text of the schema, whose characters know their places in the source (adjacent and raw literals joined), or
            the one that was inferred from a Python signature; starts with the name, perhaps with a namespace of its own.
        form: how it was written: ``m.def``, ``ops.def``, ``define``, ``custom_op``, ``triton_op``, ``infer_schema``,
            ``live``, or the name of a project's own wrapper.
        inferred: whether the schema was made of a signature; then ``schema`` locates to that signature.
        is_name_only: ``schema`` holds the name alone. ``m.def("name", &f)``: C++ infers the schema from the function's type;
            in Python: it can't be inferred, as ``uninferable`` or an ``Unread`` says.
        tags: names of ``torch.Tag`` members.
        function: the kernel given at the definition, for every backend (``CompositeImplicitAutograd``, or a
            ``custom_op``'s own).
        abi: of C++.
        mutates: ``mutates_args`` of Python as it was written: names, or the only text ``unknown``; ``None`` where it has none.
        mutates_at: where the call says it, or the whole call.
        uninferable: why PyTorch refuses to infer the schema.
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
        keys: dispatch keys, ``("CPU",)``; of Python's ``device_types`` those that they mean; empty for roles without one.
        boxed: whether C++ boxed it by ``TORCH_BOX`` or ``makeFromBoxedFunction``.
        fallthrough: ``torch::CppFunction::makeFallthrough`` and the like.
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
    """A registration that can't be read: a schema from a variable, a name made by a macro. Counted and shown, never guessed.

    ``namespaces`` are those that it is for, empty where that is not known either.
    """

    location: Location
    reason: str
    namespaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ShortLived:
    """A Python ``Library`` object that dies, and takes its definitions and implementations with it.

    Attributes:
        name: the variable, empty if it was bound to none.
        namespace: as far as it is known.
        location: where it is made.
        end: ``local``: with the function that it is local to; ``unbound``: at once; ``rebound``, ``deleted``: when its only
            name is bound anew or deleted; ``scoped``: with the block of ``_scoped_library``, which says so on purpose.
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
    """A ``TORCH_LIBRARY(ns, m)`` and its like; ``location`` is that of the head, in front of the brace.

    Attributes:
        kind: ``library`` claims the namespace as its owner, which only one block of a process may.
        key: the dispatch key of an ``impl`` block.
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
    """All that was read of some sources, in their order; ``sources`` by the path that they are shown under.

    ``failures`` are what could not be read at all: a live module that can't be imported. Its source is its name. ``silent`` are
    modules that could, and register nothing. ``defines`` are the macros of the build, as far as they were told.
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

    def __add__(self, other: Registrations) -> Registrations:
        """Join what two readers found."""
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
        )
