"""One body: what it stores through, and to which functions it hands memory."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from tree_sitter import Node

from opgen.readers.cpp.stores.expressions import NULL, Expressions, Returned
from opgen.readers.cpp.stores.kinds import Kind, is_pointer_to_pointers, kind_of
from opgen.readers.cpp.stores.known import STORING_METHODS
from opgen.readers.cpp.stores.variables import Memory, Owners, Scopes, Variable
from opgen.readers.cpp.syntax import Parsed, last_name, regular
from opgen.readers.cpp.tensor_methods import is_in_place
from opgen.readers.registrations import Parameter
from opgen.records import dataclass
from opgen.source import Location

_SCOPES = frozenset(
    {"compound_statement", "for_statement", "for_range_loop", "lambda_expression", "if_statement", "while_statement"}
)
_OF_NO_INTEREST = frozenset(
    "identifier field_identifier type_identifier namespace_identifier number_literal string_literal char_literal primitive_type comment "  # noqa: SIM905 - words
    "qualified_identifier template_function template_type template_argument_list type_descriptor sized_type_specifier subscript_argument_list "
    "type_qualifier storage_class_specifier parameter_list using_declaration alias_declaration static_assert_declaration true false null "
    "placeholder_type_specifier template_method break_statement continue_statement pointer_declarator reference_declarator array_declarator".split()
)
"""Nodes in which nothing happens."""
_MAY_POINT = re.compile(r"[*&\[]|Tensor|auto|Accessor|List|vector|optional|[pP]tr|pointer|iterator")
_DECLARATORS = frozenset({"pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator"})
_NAMES = frozenset({"identifier", "qualified_identifier", "template_function"})
_LAUNCHERS = {"cudaLaunchKernelEx": 1, "hipLaunchKernelGGL": 0}
"""Functions that call another, and which argument of theirs that is; of the second five arguments say how."""
_ATTRIBUTES = re.compile(r"\b(?:__restrict__|__restrict|__shared__|const\b(?=\s*$))")


@dataclass(frozen=True)
class Given:
    """An argument of a call: the parameters of the caller whose memory it is, and how it is handed."""

    owners: frozenset[int]
    kind: Kind


@dataclass(frozen=True)
class Handed:
    """A call of a function by its name; ``given`` has the arguments that are memory of a parameter, by their place."""

    name: str
    count: int
    given: dict[int, Given]
    location: Location


@dataclass(frozen=True)
class Body:
    """What one body does.

    Attributes:
        stores: the first store through each parameter, by its place.
        handed: the calls that it makes.
        returns: the parameter whose memory every ``return`` hands back, if there is one.
    """

    stores: dict[int, Location]
    handed: tuple[Handed, ...]
    returns: int | None


def body(parsed: Parsed, parameters: Sequence[Parameter], wanted: Collection[int], returned: Returned) -> Body:
    """Read the body of a function for what it does to some of its parameters; ``returned`` knows the functions that it calls."""
    walk = _Walk(parsed, returned)
    for index in wanted:
        parameter = parameters[index]
        if parameter.name:
            pointers = is_pointer_to_pointers(parameter.type)
            walk.scopes.declare(parameter.name, Variable(kind_of(parameter.type), index, pointers))
    walk.run()
    return walk.result()


class _Walk:
    def __init__(self, parsed: Parsed, returned: Returned) -> None:
        self._parsed = parsed
        self.scopes = Scopes()
        self._expressions = Expressions(parsed, self.scopes, returned)
        self._returns: list[Memory | None] = []
        self._stores: list[tuple[Variable, Node]] = []
        self._calls: list[tuple[str, int, dict[int, Memory], Node]] = []
        self._lambdas: dict[int, Variable] = {}

    def run(self) -> None:
        """Go through the tree in the order of the text."""
        stack: list[Node | None] = [self._parsed.root]
        while stack:
            node = stack.pop()
            if node is None:
                self.scopes.close()
                continue
            kind = node.type
            if kind in _SCOPES:
                self.scopes.open()
                stack.append(None)
            self._enter(node, kind)
            stack.extend(child for child in reversed(node.named_children) if child.type not in _OF_NO_INTEREST)

    def result(self) -> Body:
        """Say whose memory it was, now that every binding is known."""
        owners = Owners()
        stores: dict[int, Location] = {}
        for variable, node in self._stores:
            for index in owners.of(variable):
                if index not in stores:
                    stores[index] = self._parsed.location(node)
        handed = []
        for name, count, memories, node in self._calls:
            given = {place: Given(_owners(owners, memory), memory.kind) for place, memory in memories.items()}
            given = {place: one for place, one in given.items() if one.owners}
            if given:
                handed.append(Handed(name, count, given, self._parsed.location(node)))
        returns = {_owners(owners, one) if one is not None else frozenset() for one in self._returns}
        only = next(iter(returns)) if len(returns) == 1 else frozenset()
        return Body(stores, tuple(handed), next(iter(only)) if len(only) == 1 else None)

    def _enter(self, node: Node, kind: str) -> None:
        match kind:
            case "declaration":
                self._declaration(node)
            case "for_range_loop":
                self._loop(node)
            case "lambda_expression":
                self._lambda(node)
            case "assignment_expression":
                self._assignment(node)
            case "update_expression":
                self._store(node.child_by_field_name("argument"), node)
            case "call_expression":
                self._call(node)
            case "return_statement":
                value = node.named_children[0] if node.named_children else None
                found = None if value is None else self._expressions.memory(value)
                self._returns += [] if found is NULL else [found]

    def _declaration(self, node: Node) -> None:
        declarators = node.children_by_field_name("declarator")
        if not declarators:
            return
        base = self._parsed.text.value[node.start_byte : declarators[0].start_byte]
        for declarator in declarators:
            value = declarator.child_by_field_name("value") or node.child_by_field_name("value")
            inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
            name = _declared(inner)
            if name is not None and inner is not None:
                written = base + self._parsed.text.value[inner.start_byte : name.start_byte]
                is_array = inner.type == "array_declarator"
                self._declare(self._parsed.value(name), written, value, is_array=is_array)

    def _declare(self, name: str, written: str, value: Node | None, *, is_array: bool) -> None:
        if is_array or not _MAY_POINT.search(written):
            self.scopes.declare(name, Variable(Kind.READ_ONLY))
            return
        type_ = regular(_ATTRIBUTES.sub(" ", written.strip()))
        kind = kind_of(type_)
        variable = Variable(kind, to_pointers=is_pointer_to_pointers(type_))
        if value is not None and kind is not Kind.READ_ONLY:
            self._initialise(variable, value)
        self.scopes.declare(name, variable)

    def _initialise(self, variable: Variable, value: Node) -> None:
        found = self._expressions.memory(value)
        if variable.kind is Kind.REFERENCE:
            owners = self._expressions.stored(value)
            if owners:
                found = Memory(owners)
            elif found is not None:
                variable.kind = found.kind  # auto&& y = x
        elif variable.kind is Kind.VALUE and found is not None:
            variable.kind, variable.to_pointers = found.kind, found.to_pointers
        variable.values.append(found)
        named = value.child_by_field_name("argument") if value.type == "pointer_expression" else value
        if value.type == "lambda_expression":
            self._lambdas[value.id] = variable
        elif found is None and named is not None and named.type in _NAMES:
            variable.function = self._parsed.value(named)

    def _loop(self, node: Node) -> None:
        name, value = _declared(node.child_by_field_name("declarator")), node.child_by_field_name("right")
        if name is None or value is None:
            return
        found = self._expressions.memory(value)
        is_list = found is not None and found.kind is Kind.LIST
        self.scopes.declare(
            self._parsed.value(name),
            Variable(Kind.TENSOR if is_list else Kind.VALUE, values=[found if is_list else None]),
        )

    def _lambda(self, node: Node) -> None:
        declarator = node.child_by_field_name("declarator")
        listed = None if declarator is None else declarator.child_by_field_name("parameters")
        holder = self._lambdas.get(node.id)
        for parameter in () if listed is None else listed.named_children:
            name = _declared(parameter.child_by_field_name("declarator"))
            variable = Variable(Kind.VALUE)
            if name is not None:
                written = self._parsed.text.value[parameter.start_byte : name.start_byte]
                variable.kind = kind_of(regular(_ATTRIBUTES.sub(" ", written.strip())))
                self.scopes.declare(self._parsed.value(name), variable)
            if holder is not None:
                holder.lambda_parameters.append(variable)

    def _assignment(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return
        variable = self.scopes.get(self._parsed.value(left)) if left.type == "identifier" else None
        if variable is None or variable.kind is Kind.REFERENCE:
            self._store(left, node)
        elif operator.type == "=":
            variable.values.append(self._expressions.memory(right))

    def _store(self, target: Node | None, place: Node) -> None:
        if target is not None:
            self._stores += [(variable, place) for variable in self._expressions.stored(target)]

    def _call(self, node: Node) -> None:
        callee, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        arguments = [] if listed is None else [one for one in listed.named_children if one.type != "comment"]
        if callee is None:
            return
        if callee.type == "field_expression":
            self._method(node, callee, arguments)
            return
        if callee.type == "call_expression" and "<<<" in self._parsed.value(callee):
            callee = callee.child_by_field_name("function")
        if callee is None or callee.type not in _NAMES:
            return
        name = self._parsed.value(callee)
        bare = last_name(name)
        if bare in _LAUNCHERS and len(arguments) > _LAUNCHERS[bare]:
            place = _LAUNCHERS[bare]
            name = self._parsed.value(arguments[place]).strip("&() ")
            arguments = arguments[place + (5 if bare.startswith("hip") else 1) :]
        self._handed(node, name, arguments)

    def _handed(self, node: Node, name: str, arguments: list[Node]) -> None:
        variable = self.scopes.get(name)
        if variable is not None:
            for parameter, argument in zip(variable.lambda_parameters, arguments, strict=False):
                if (found := self._expressions.memory(argument)) is not None:
                    parameter.calls.append(found)
            name = variable.function
        memories: dict[int, Memory] = {}
        for place, argument in enumerate(arguments):
            if (found := self._memory_of(argument)) is not None:
                memories[place] = found
        if name and memories and not last_name(name).endswith("_cast"):
            self._calls.append((name, len(arguments), memories, node))

    def _memory_of(self, argument: Node) -> Memory | None:
        found = self._expressions.memory(argument)
        if found is None and (owners := self._expressions.stored(argument)):
            return Memory(owners, Kind.REFERENCE)
        return found if found is not None and found.of else None

    def _method(self, node: Node, callee: Node, arguments: list[Node]) -> None:
        field, receiver = callee.child_by_field_name("field"), callee.child_by_field_name("argument")
        method = "" if field is None else self._parsed.value(field).partition("<")[0].strip()
        if is_in_place(method) and receiver is not None:
            target = self._expressions.memory(receiver)
            if target is not None and target.kind is Kind.TENSOR:
                self._stores += [(variable, node) for variable in target.of]
        elif method in STORING_METHODS and arguments and (target := self._memory_of(arguments[0])) is not None:
            self._stores += [(variable, node) for variable in target.of]


def _owners(owners: Owners, memory: Memory) -> frozenset[int]:
    return frozenset().union(*(owners.of(variable) for variable in memory.of))


def _declared(declarator: Node | None) -> Node | None:
    """Return the name that a declarator declares."""
    while declarator is not None and declarator.type in _DECLARATORS:
        declarator = declarator.child_by_field_name("declarator") or next(
            (one for one in declarator.named_children if one.type in _DECLARATORS or one.type == "identifier"), None
        )
    return declarator if declarator is not None and declarator.type == "identifier" else None
