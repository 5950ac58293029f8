"""Reads a call of a library's method: one `Call` becomes definitions, implementations, or an `Unread`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from tree_sitter import Node

from opgen.readers.cpp.calls import Call
from opgen.readers.cpp.cpp_types import inferred_schema
from opgen.readers.cpp.kernels import Kernel, kernel
from opgen.readers.cpp.lexical import DEEPEST, depth
from opgen.readers.cpp.literals import string
from opgen.readers.cpp.lookup import Functions
from opgen.readers.cpp.macros import Macro, expanded
from opgen.readers.cpp.names import CATCH_ALL, arity, dispatch_key, operator
from opgen.readers.cpp.returns import returned
from opgen.readers.cpp.syntax import Parsed, descendants, parse
from opgen.readers.cpp.texts import joined, placed
from opgen.readers.registrations import Definition, Function, Implementation, PythonModule, Unread
from opgen.records import dataclass
from opgen.source import DerivedText, Span, Text

Statement: TypeAlias = Definition | Implementation | PythonModule | Unread

_TAG = re.compile(r"\bTag\s*::\s*(\w+)")
_LONGEST_QUOTE = 60


@dataclass(frozen=True)
class Context:
    """The context in which the statements of a file are read.

    Attributes:
        macros: the macros of the file.
        functions: the functions of all files.
        arities: op -> its number of arguments, of all files.
        aliases: returns the type aliases of all files, when they are needed.
    """

    macros: Mapping[str, Macro]
    functions: Functions
    arities: Mapping[str, int]
    aliases: Callable[[], Mapping[str, str]]


@dataclass(frozen=True)
class _Reading:
    """A parsed call that is being read."""

    call: Call
    context: Context
    parsed: Parsed
    arguments: tuple[Node, ...]

    def text(self, node: Node) -> Text | None:
        """Return the value of a string argument, ``None`` if it isn't known."""
        return string(self.parsed, node, self.constant)

    def constant(self, name: str) -> tuple[Parsed, Node] | None:
        """Return the initializer of a constant of the file."""
        return self.call.region.file.constant(name, self.call.place.start)

    def kernel(self, node: Node, arity: int | None) -> Kernel:
        """Read a function argument."""

        def find(name: str, types: tuple[str, ...] | None) -> Function | None:
            return self.context.functions.find(
                name, self.call.region.file, self.call.place.start, types=types, arity=arity
            )

        return kernel(self.parsed, node, find)

    def unread(self, what: str, node: Node | None) -> Unread:
        """Return an `Unread` for an argument that can't be read."""
        if node is None:
            return Unread(self.call.location, f"{what} is missing", self.call.block.namespaces)
        written = " ".join(self.parsed.value(node).split())
        quoted = written if len(written) <= _LONGEST_QUOTE else f"{written[:_LONGEST_QUOTE]}…"
        return Unread(self.parsed.location(node), f"{what} is not a literal: {quoted}", self.call.block.namespaces)


def read(call: Call, context: Context) -> Iterator[Statement]:
    """Read a statement."""
    if call.span is None:
        yield Unread(call.location, "the parenthesis is never closed")
        return
    if depth(call.region.code[slice(*call.span)]) > DEEPEST:
        yield Unread(call.location, "its parentheses are nested too deeply")
        return
    text = expanded(call.text, context.macros)
    # "_." in front makes it a call; "def(f());" would be a function declaration.
    parsed = parse(joined([placed("_.", text), text, placed(";", text)], text.source, text.base))
    listed = next(descendants(parsed.root, "argument_list"), None)
    arguments = () if listed is None else tuple(listed.named_children)
    reading = _Reading(call, context, parsed, arguments)
    if not call.block.targets:
        yield Unread(call.location, f"which library {call.block.function} is given is not known")
    else:
        yield from _READERS[call.method](reading)


def _define(reading: _Reading) -> Iterator[Statement]:
    call, arguments = reading.call, reading.arguments
    schema = reading.text(arguments[0]) if arguments else None
    if schema is None:
        yield reading.unread("the schema", arguments[0] if arguments else None)
        return
    tags: tuple[Text, ...] = ()
    given = Kernel()
    for node in arguments[1:]:
        if (found := _tags(reading, node)) is not None:
            tags = found
        elif "RegisterOrVerify" not in reading.parsed.value(node):
            given = reading.kernel(node, arity(schema.value))
    name_only = "(" not in schema.value
    inferred = _inferred(schema, given.function, reading.context) if name_only else None
    key = None if given.key is None else dispatch_key(given.key)
    for target in sorted(call.block.targets, key=repr):
        yield Definition(
            namespace=target.namespace,
            schema=inferred or schema,
            form=call.form,
            location=call.location,
            language="cpp",
            inferred=inferred is not None,
            is_name_only=name_only,
            tags=tags,
            function=given.function if key in (None, CATCH_ALL) else None,
            abi=call.block.abi,
            conditions=call.conditions,
        )
        if key not in (None, CATCH_ALL):
            name = schema.part(Span(0, len(schema.value.partition("(")[0].rstrip())))
            yield _implementation(reading, operator(target.namespace, name), given, key)


def _implement(reading: _Reading) -> Iterator[Statement]:
    arguments = reading.arguments
    name = reading.text(arguments[0]) if arguments else None
    if name is None:
        yield reading.unread("the name of the op", arguments[0] if arguments else None)
    elif len(arguments) == 1:
        yield reading.unread("the function", None)
    else:
        rest = [node for node in arguments[1:] if "RegisterOrVerify" not in reading.parsed.value(node)]
        for target in sorted(reading.call.block.targets, key=repr):
            op = operator(target.namespace, name)
            given = reading.kernel(rest[-1], reading.context.arities.get(op.value))
            written = reading.parsed.value(rest[0]) if len(rest) > 1 else given.key or target.key
            key = CATCH_ALL if written is None else dispatch_key(written)
            if key is None:
                yield reading.unread("the dispatch key", rest[0])
            else:
                yield _implementation(reading, op, given, key)


def _fall_back(reading: _Reading) -> Iterator[Statement]:
    if not reading.arguments:
        return
    for target in sorted(reading.call.block.targets, key=repr):
        given = reading.kernel(reading.arguments[0], None)
        op = placed(f"{target.namespace}::*", reading.call.text)
        key = dispatch_key(given.key or target.key or CATCH_ALL)
        yield _implementation(reading, op, given, key or CATCH_ALL)


def _name_module(reading: _Reading) -> Iterator[Statement]:
    module = reading.text(reading.arguments[0]) if reading.arguments else None
    if module is None:
        yield reading.unread("the Python module", reading.arguments[0] if reading.arguments else None)
        return
    for target in sorted(reading.call.block.targets, key=repr):
        call = reading.call
        yield PythonModule(target.namespace, module, call.location, call.form, call.conditions)


_READERS: Mapping[str, Callable[[_Reading], Iterator[Statement]]] = {
    "def": _define,
    "impl": _implement,
    "fallback": _fall_back,
    "set_python_module": _name_module,
    "impl_abstract_pystub": _name_module,
}


def _implementation(reading: _Reading, op: Text, given: Kernel, key: str | None) -> Implementation:
    call = reading.call
    return Implementation(
        op=op,
        role="kernel",
        location=call.location,
        language="cpp",
        function=given.function,
        keys=(key or CATCH_ALL,),
        form=call.form,
        abi=call.block.abi,
        boxed=given.boxed,
        fallthrough=given.fallthrough,
        conditions=call.conditions,
    )


def _tags(reading: _Reading, node: Node) -> tuple[Text, ...] | None:
    """Return the tags in ``{at::Tag::inplace}`` or a constant; ``None`` if the argument is no list of tags."""
    parsed = reading.parsed
    if node.type == "identifier" and (found := reading.constant(parsed.value(node))) is not None:
        parsed, node = found
    written = parsed.part(node)
    tags = tuple(written.part(Span(*match.span(1))) for match in _TAG.finditer(written.value))
    return tags if (tags and node.type != "lambda_expression") or node.type == "initializer_list" else None


def _inferred(name: Text, function: Function | None, context: Context) -> Text | None:
    if function is None or function.parameters is None:
        return None
    result = function.result
    if not function.name and not result and not any(one.node is not None for one in returned(function)):
        result = "void"  # a lambda without return statement
    types = [one.type for one in function.parameters]
    schema = inferred_schema(name.value, types, result) or inferred_schema(name.value, types, result, context.aliases())
    return None if schema is None else DerivedText.at(schema, function.location)
