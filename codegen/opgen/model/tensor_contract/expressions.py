"""Resolves expressions of a contract: a name must be known, of the right kind, and bound whenever it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from opgen.diagnostics import Code
from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.guards import Facts, Guard, facts_when, where
from opgen.model.tensor_contract.scope import Kind, Scope, did_you_mean, kind_of
from opgen.records import dataclass
from opgen.schema.nodes import ListType
from opgen.schema.types import without_optional
from opgen.source import Span, Text
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Item,
    Logical,
    Membership,
    Name,
    Negative,
    Not,
    Size,
    opposite,
)
from opgen.spec.report import Report
from opgen.spec.written import render_written

Typed = tuple[Expression, Kind]

_NUMBERS = (Kind.INTEGER, Kind.NUMBER)
_ARGUMENTS: dict[str, tuple[Kind, ...]] = {
    "prod": (Kind.SIZES,),
    "len": (Kind.SIZES, Kind.TENSORS, Kind.OTHER),
    "rank": (Kind.TENSOR,),
    "numel": (Kind.TENSOR,),
}


@dataclass(frozen=True)
class Expressions:
    """Resolves the expressions of one text; mistakes are reported.

    Each size is replaced by the name of the version that has a value at this place (``Scope.version``).
    """

    scope: Scope
    report: Report
    text: Text

    def size(self, expression: Expression, given: Facts = frozenset()) -> Expression:
        """Resolve a size; ``given`` are the facts that are known where it is read."""
        return self._expect(expression, given, (Kind.INTEGER,), "a size")

    def condition(self, expression: Expression, given: Facts = frozenset()) -> Expression:
        """Resolve a condition; ``given`` are the facts that are known where it is read."""
        argument = self.scope.arguments.get(expression.name) if isinstance(expression, Name) else None
        if argument is not None and argument.is_optional and kind_of(argument) is Kind.TENSOR:
            message = f"expected a condition, found the optional tensor '{argument.name}'"
            self._refuse(codes.KIND, expression.span, message, f"ask `given({argument.name})`")
            return expression
        return self._expect(expression, given, (Kind.CONDITION,), "a condition, such as a comparison")

    def _refuse(self, code: Code, span: Span, message: str, help_: str = "") -> None:
        self.report.add(code, message, self.text.locate(span), help_)

    def _expect(self, expression: Expression, given: Facts, kinds: Iterable[Kind], what: str) -> Expression:
        resolved, kind = self._visit(expression, given)
        if kind not in kinds and kind is not Kind.UNKNOWN:
            self._refuse(codes.KIND, expression.span, f"expected {what}, found {kind.value}")
        return resolved

    def _number(self, expression: Expression, given: Facts) -> Typed:
        resolved, kind = self._visit(expression, given)
        if kind not in _NUMBERS and kind is not Kind.UNKNOWN:
            self._refuse(codes.KIND, expression.span, f"expected a number, found {kind.value}")
            return resolved, Kind.UNKNOWN
        return resolved, kind

    def _visit(self, expression: Expression, given: Facts) -> Typed:
        visitors: Mapping[type, Callable[[Any, Facts], Typed]] = {
            Constant: self._constant,
            Name: self._name,
            Item: self._item,
            Size: self._size,
            Call: self._call,
            Negative: self._negative,
            Binary: self._binary,
            Comparison: self._comparison,
            Membership: self._membership,
            Not: self._not,
            Logical: self._logical,
            Conditional: self._conditional,
        }
        return visitors[type(expression)](expression, given)

    # --- leaves -------------------------------------------------------------------------------------------------------
    def _constant(self, constant: Constant, _given: Facts) -> Typed:
        value = constant.value
        if value is None:
            return constant, Kind.NONE
        kinds = {bool: Kind.CONDITION, int: Kind.INTEGER, float: Kind.NUMBER, str: Kind.STRING}
        return constant, kinds[type(value)]

    def _name(self, node: Name, given: Facts) -> Typed:
        name, scope = node.name, self.scope
        argument = scope.arguments.get(name)
        if name not in scope.sizes and argument is not None:
            self._needs(name, given, node.span)
            return node, kind_of(argument)
        version = scope.version(name, given)
        if version is not None:
            return replace(node, name=version.name), Kind.SIZES if name in scope.packs else Kind.INTEGER
        if name in scope.broken:
            return node, Kind.UNKNOWN
        if name in scope.sizes:
            self._absent(name, [each.guard for each in scope.sizes[name]], node.span)
            return node, Kind.UNKNOWN
        if name in DTYPES:
            return node, Kind.DTYPE
        remedy = did_you_mean(name, scope.names, codes.UNKNOWN_SIZE.remedy)
        self._refuse(
            codes.UNKNOWN_SIZE, node.span, f"'{name}' is no argument, and no input has a dim of this name", remedy
        )
        return node, Kind.UNKNOWN

    def _needs(self, name: str, given: Facts, span: Span) -> None:
        if self.scope.arguments[name].is_optional and name not in self.scope.known(given):
            self._absent(name, [Guard(frozenset({name}))], span)

    def _absent(self, name: str, guards: Sequence[Guard], span: Span) -> None:
        condition = guards[0].condition
        if guards == [Guard(frozenset({name}))]:
            message, remedy = f"'{name}' may be None here", f"guard it by `given({name})`"
        else:
            message = f"'{name}' is only known {where(guards)}"
            check, size = (
                f"{render_written(opposite(condition))} or ...",
                f"(... if {render_written(condition)} else ...)",
            )
            remedy = f"guard it: `{check}` in a check, `{size}` in a size"
        self._refuse(codes.OPTIONAL, span, message, remedy)

    def _argument(self, name: str, kinds: Iterable[Kind], given: Facts, span: Span, what: str) -> bool:
        """Whether a name is an argument of one of the kinds that is given; else it is reported."""
        argument = self.scope.arguments.get(name)
        if argument is None:
            remedy = did_you_mean(name, self.scope.names, f"name an argument that is {what}")
            self._refuse(codes.UNKNOWN_SIZE, span, f"there is no argument '{name}'", remedy)
        elif kind_of(argument) not in kinds:
            self._refuse(codes.KIND, span, f"'{name}' is {kind_of(argument).value}, expected {what}")
        else:
            self._needs(name, given, span)
            return True
        return False

    def _item(self, node: Item, given: Facts) -> Typed:
        if not self._argument(node.name, [Kind.SIZES], given, node.span, "a list of integers"):
            return node, Kind.UNKNOWN
        type_ = without_optional(self.scope.arguments[node.name].type)
        if isinstance(type_, ListType) and type_.size is not None and not -type_.size <= node.index < type_.size:
            self._refuse(
                codes.INDEX, node.span, f"'{node.name}' has {type_.size} elements, found the index {node.index}"
            )
        return node, Kind.INTEGER

    def _size(self, node: Size, given: Facts) -> Typed:
        if node.element is None:
            kind, what = Kind.TENSOR, "a tensor; the size of an element is `xs[0].size(0)`"
        else:
            kind, what = Kind.TENSORS, "a list of tensors"
        if not self._argument(node.tensor, [kind], given, node.span, what):
            return node, Kind.UNKNOWN
        rank, exact = self.scope.ranks.get(node.tensor, (0, False))
        if exact and not -rank <= node.dim < rank:
            dims = "1 dim" if rank == 1 else f"{rank} dims"
            self._refuse(codes.INDEX, node.span, f"'{node.tensor}' has {dims}, found dim {node.dim}")
        return node, Kind.INTEGER

    # --- functions ----------------------------------------------------------------------------------------------------
    def _call(self, node: Call, given: Facts) -> Typed:
        if node.function in ("min", "max", "ceil"):
            return self._arithmetic_call(node, given)
        operand = node.arguments[0]
        if not isinstance(operand, Name):
            raise TypeError(f"the grammar lets only a name stand in {node.function}()")
        if node.function == "given":
            return self._given(node, operand)
        kinds = _ARGUMENTS[node.function]
        if operand.name in self.scope.arguments:
            what = " or ".join(kind.value for kind in kinds if kind is not Kind.OTHER)
            ok = self._argument(operand.name, kinds, given, operand.span, what)
            return node, Kind.INTEGER if ok else Kind.UNKNOWN
        resolved, kind = self._name(operand, given)
        if kind is not Kind.UNKNOWN and (kind is not Kind.SIZES or Kind.SIZES not in kinds):
            self._refuse(codes.KIND, operand.span, f"'{node.function}' cannot take {kind.value}")
        return replace(node, arguments=(resolved,)), Kind.INTEGER

    def _given(self, node: Call, operand: Name) -> Typed:
        argument = self.scope.arguments.get(operand.name)
        if argument is None:
            self._argument(operand.name, (), frozenset(), operand.span, "an optional argument")
        elif not argument.is_optional:
            self._refuse(codes.NEVER_NONE, node.span, f"'{operand.name}' is always given")
        return node, Kind.CONDITION

    def _arithmetic_call(self, node: Call, given: Facts) -> Typed:
        parts = [self._number(argument, given) for argument in node.arguments]
        kinds = {kind for _, kind in parts}
        kind = Kind.UNKNOWN if Kind.UNKNOWN in kinds else Kind.NUMBER if Kind.NUMBER in kinds else Kind.INTEGER
        return replace(node, arguments=tuple(part for part, _ in parts)), kind

    # --- operators ----------------------------------------------------------------------------------------------------
    def _negative(self, node: Negative, given: Facts) -> Typed:
        operand, kind = self._number(node.operand, given)
        return replace(node, operand=operand), kind

    def _binary(self, node: Binary, given: Facts) -> Typed:
        (left, first), (right, second) = self._number(node.left, given), self._number(node.right, given)
        if node.operator in ("/", "//", "%") and node.right == Constant(0):
            self._refuse(codes.DIVISION_BY_ZERO, node.span, "division by 0")
        kinds = {first, second}
        kind = Kind.UNKNOWN if Kind.UNKNOWN in kinds else Kind.NUMBER if Kind.NUMBER in kinds else Kind.INTEGER
        if node.operator in ("/", "//", "%") and Kind.NUMBER in kinds:
            self._refuse(codes.KIND, node.span, f"'{node.operator}' is for integers, found a floating-point number")
            kind = Kind.UNKNOWN
        return replace(node, left=left, right=right), kind

    def _comparison(self, node: Comparison, given: Facts) -> Typed:
        equality = all(operator in ("==", "!=") for operator in node.operators)
        parts = [self._compared(operand, given, equality=equality) for operand in node.operands]
        for (_, left), (_, right), operand in zip(parts, parts[1:], node.operands[1:], strict=False):
            self._comparable(left, right, operand.span, ordered=not equality)
        return replace(node, operands=tuple(part for part, _ in parts)), Kind.CONDITION

    def _compared(self, operand: Expression, given: Facts, *, equality: bool) -> Typed:
        """Resolve one side of a comparison; an optional scalar may be ``None`` if it is only compared for equality."""
        if equality and isinstance(operand, Name) and operand.name in self.scope.arguments:
            given |= {operand.name}
        return self._visit(operand, given)

    def _comparable(self, left: Kind, right: Kind, span: Span, *, ordered: bool) -> None:
        kinds = {left, right}
        if Kind.UNKNOWN in kinds or kinds <= set(_NUMBERS):
            return
        if ordered:
            other = left if left not in _NUMBERS else right
            self._refuse(codes.KIND, span, f"only numbers have an order, found {other.value}")
        elif len(kinds - {Kind.NONE}) > 1 or kinds & {Kind.SIZES, Kind.TENSOR, Kind.TENSORS, Kind.OTHER}:
            self._refuse(codes.KIND, span, f"cannot compare {left.value} with {right.value}")

    def _membership(self, node: Membership, given: Facts) -> Typed:
        operand, kind = self._compared(node.operand, given, equality=True)
        for choice in node.choices:
            if isinstance(choice, Name) and choice.name not in DTYPES:
                remedy = did_you_mean(choice.name, DTYPES, "choices are constants or names of dtypes")
                self._refuse(codes.UNKNOWN_DTYPE, choice.span, f"'{choice.name}' is no dtype", remedy)
                continue
            choice_kind = Kind.DTYPE if isinstance(choice, Name) else self._visit(choice, given)[1]
            self._comparable(kind, choice_kind, choice.span, ordered=False)
        return replace(node, operand=operand), Kind.CONDITION

    def _not(self, node: Not, given: Facts) -> Typed:
        return replace(node, operand=self.condition(node.operand, given)), Kind.CONDITION

    def _logical(self, node: Logical, given: Facts) -> Typed:
        operands = []
        for operand in node.operands:
            operands.append(self.condition(operand, given))
            given |= frozenset(facts_when(operand, holds=node.operator == "and"))
        return replace(node, operands=tuple(operands)), Kind.CONDITION

    def _conditional(self, node: Conditional, given: Facts) -> Typed:
        condition = self.condition(node.condition, given)
        then, first = self._visit(node.then, given.union(facts_when(node.condition, holds=True)))
        otherwise, second = self._visit(node.otherwise, given.union(facts_when(node.condition, holds=False)))
        self._comparable(first, second, node.span, ordered=False)
        kind = second if first is Kind.UNKNOWN or second is Kind.NUMBER else first
        return replace(node, condition=condition, then=then, otherwise=otherwise), kind
