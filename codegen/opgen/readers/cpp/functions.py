"""Reads the signatures of functions and lambdas: a piece of C++ becomes a `Function`."""

from __future__ import annotations

import re

from tree_sitter import Node

from opgen.readers.cpp.syntax import Parsed, descendants, parse, regular
from opgen.readers.registrations import Function, Parameter
from opgen.source import Span, Text

_DECORATION = re.compile(
    r"\b__(?:global|host|device|forceinline|inline|noinline)(?:__)?\b"
    r"|\b__attribute__\s*\(\([^()]*(?:\([^()]*\)[^()]*)?\)\)|\b__(?:launch_bounds__|declspec)\s*\([^()]*\)"
    r"|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b(?=\s+[\w:])"
)
_DECLARATORS = (
    "reference_declarator",
    "pointer_declarator",
    "parenthesized_declarator",
    "array_declarator",
    "init_declarator",
)
_NOT_OF_THE_RESULT = (
    "storage_class_specifier", "attribute_declaration", "attribute_specifier", "virtual", "explicit_function_specifier",
    "template_parameter_list", "ms_declspec_modifier",
)  # fmt: skip
_ATTRIBUTE = re.compile(r"\[\[.{0,999}?\]\]", re.DOTALL)


def function(declaration: Text, head_end: int) -> Function | None:
    """Return the function that a declaration declares or defines; ``None`` if it declares none.

    ``head_end`` is the offset of its body or its ``;``. ``node`` of the result is a `Parsed`.
    """
    head = _DECORATION.sub(lambda match: " " * len(match[0]), declaration.value[:head_end])
    parsed = parse(declaration, head + declaration.value[head_end:])
    declarator = _declarator(parsed.root)
    if declarator is None:  # the parser failed on something in the body
        parsed = parse(declaration, head + "{}")
        declarator = _declarator(parsed.root)
    if declarator is None:
        return None
    name = declarator.child_by_field_name("declarator")
    whole = declarator.parent
    while whole is not None and whole.type in _DECLARATORS:
        whole = whole.parent
    if name is None or whole is None:
        return None
    body = next((child for child in whole.children if child.type == "compound_statement"), None)
    return Function(
        name=regular(parsed.value(name)),
        location=declaration.locate(Span(whole.start_byte, declarator.end_byte)),
        parameters=parameters(parsed, declarator),
        result=_result(parsed, whole, declarator),
        body=None if body is None else parsed.part(body),
        node=parsed,
    )


def of_lambda(parsed: Parsed, node: Node) -> Function:
    """Return the function of a lambda; without a trailing return type its ``result`` is empty."""
    declarator = node.child_by_field_name("declarator")
    body = node.child_by_field_name("body")
    return Function(
        name="",
        location=parsed.location(node),
        parameters=() if declarator is None else parameters(parsed, declarator),
        result="" if declarator is None else _trailing(parsed, declarator),
        body=None if body is None else parsed.part(body),
        node=Parsed(parsed.text, node),
    )


def parameters(parsed: Parsed, declarator: Node) -> tuple[Parameter, ...]:
    """Return the parameters of a function's declarator; ``(void)`` has none."""
    listed = declarator.child_by_field_name("parameters")
    if listed is None:
        return ()
    found = tuple(
        _parameter(parsed, node) for node in listed.named_children if node.type.endswith("parameter_declaration")
    )
    return () if [(one.type, one.name) for one in found] == [("void", "")] else found


def _declarator(root: Node) -> Node | None:
    """Return the declarator of the declared function: the first one that is not in a body or a parameter."""
    skip = ("compound_statement", "parameter_list", "template_parameter_list", "call_expression", "lambda_expression")
    return next(descendants(root, "function_declarator", skip=skip), None)


def _parameter(parsed: Parsed, node: Node) -> Parameter:
    name = node.child_by_field_name("declarator")
    while name is not None and name.type != "identifier":
        name = name.child_by_field_name("declarator") or next(
            (child for child in name.named_children if child.type in (*_DECLARATORS, "identifier")), None
        )
    default = node.child_by_field_name("default_value")
    equals = next((child for child in node.children if child.type == "="), None)
    end = node.end_byte if equals is None else equals.start_byte
    written = parsed.text.value[node.start_byte : end]
    if name is not None:
        written = parsed.text.value[node.start_byte : name.start_byte] + parsed.text.value[name.end_byte : end]
    return Parameter(
        name="" if name is None else parsed.value(name),
        type=regular(_ATTRIBUTE.sub(" ", written)),
        location=parsed.text.locate(Span(node.start_byte, node.end_byte)),
        default=None if default is None else parsed.value(default),
        kind="variadic" if node.type == "variadic_parameter_declaration" else "positional",
    )


def _result(parsed: Parsed, whole: Node, declarator: Node) -> str:
    if trailing := _trailing(parsed, declarator):
        return trailing
    outer = declarator
    while outer.parent is not None and outer.parent != whole:
        outer = outer.parent
    words = [
        parsed.value(child)
        for child in whole.children
        if child.end_byte <= outer.start_byte and child.type not in _NOT_OF_THE_RESULT
    ]
    return regular(" ".join((*words, parsed.text.value[outer.start_byte : declarator.start_byte])))


def _trailing(parsed: Parsed, declarator: Node) -> str:
    arrow = next((child for child in declarator.children if child.type == "trailing_return_type"), None)
    return "" if arrow is None else regular(parsed.value(arrow).removeprefix("->"))
