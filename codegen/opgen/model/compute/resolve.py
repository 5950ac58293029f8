"""Resolves a parsed expression to a value: names, types and axes.

A method returns ``None`` after reporting why there is no value. The other parts of the expression are resolved all the
same, so that one run reports all mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model.compute import codes
from opgen.model.compute.functions import FUNCTIONS, REDUCTIONS, SPECIAL
from opgen.model.compute.here import Here
from opgen.model.compute.leaves import Leaves, number
from opgen.model.compute.nodes import Dim, Given, Index, Logical, Value
from opgen.model.compute.operators import Operators
from opgen.model.compute.value_types import BOOL, INT64
from opgen.model.compute.walk import given_when
from opgen.model.tensor_contract.scope import did_you_mean
from opgen.records import dataclass
from opgen.source import Span, Text
from opgen.spec import kernel_expression as ke
from opgen.spec.dtypes import CLASSES, DTYPES, FLOAT, FLOAT8, INTEGRAL, SYNONYMS
from opgen.spec.expression import Constant, Name
from opgen.spec.kernel_language.elsewhere import FUNCTIONS_ELSEWHERE

CASTS = ("bool", *INTEGRAL, *FLOAT, *FLOAT8)
"""The dtypes that a value may be cast to."""


@dataclass(frozen=True)
class Resolver:
    """Resolves the expressions of one op."""

    here: Here
    leaves: Leaves
    operators: Operators

    def resolve(self, written: ke.Written, text: Text) -> Value | None:
        """Return the value of an expression; ``text`` is the text that it was parsed from."""
        before = self.here.text, self.here.given
        self.here.text, self.here.given = text, frozenset()
        value = self._value(written)
        self.here.text, self.here.given = before
        return value

    def _value(self, node: ke.Written) -> Value | None:  # noqa: C901, PLR0911 - one case a node
        match node:
            case Constant(bool() | int() | float() as value, span):
                return number(value, span)
            case Name():
                return self.leaves.name(node)
            case ke.Slice(tensor):
                return self.leaves.load(tensor, node.span, node)
            case ke.Unary("-", Constant(int() | float() as value)) if not isinstance(value, bool):
                return number(-value, node.span)
            case ke.Unary(operator, operand):
                only = self._value(operand)
                return only and self.operators.unary(operator, only, node.span)
            case ke.Binary(operator, left, right):
                one, other = self._value(left), self._value(right)
                return one and other and self.operators.binary(operator, one, other, node.span)
            case ke.Comparison(operators, operands):
                values = self._values(operands)
                return None if values is None else self.operators.comparison(operators, values, node.span)
            case ke.Logical():
                return self._logical(node)
            case ke.Conditional(condition, then, otherwise):
                return self._select(condition, then, otherwise, node.span)
            case ke.Call():
                return self._call(node)
        raise TypeError(f"{node} is no expression")

    def _values(self, nodes: Iterable[ke.Written]) -> list[Value] | None:
        values = [self._value(node) for node in nodes]
        sound = [value for value in values if value is not None]
        return sound if len(sound) == len(values) else None

    def _logical(self, node: ke.Logical) -> Value | None:
        before, values = self.here.given, list[Value]()
        rule = f"'{node.operator}' joins truth values"
        for operand in node.operands:
            value = self._value(operand)
            if value is not None and self.operators.expect(
                (value,), ("bool",), rule, "compare with 0, or write `&`, `|`"
            ):
                values.append(value)
                self.here.given |= given_when(value, holds=node.operator == "and")
        self.here.given = before
        return Logical(node.operator, tuple(values), BOOL, node.span) if len(values) == len(node.operands) else None

    def _select(self, condition: ke.Written, then: ke.Written, otherwise: ke.Written, span: Span) -> Value | None:
        test = self._value(condition)
        remedy = "compare with 0, `x != 0`"
        if test is not None and not self.operators.expect((test,), ("bool",), "a condition is a truth value", remedy):
            test = None
        one, other = self._branch(then, test, holds=True), self._branch(otherwise, test, holds=False)
        return test and one and other and self.operators.select(test, one, other, span)

    def _branch(self, branch: ke.Written, condition: Value | None, *, holds: bool) -> Value | None:
        before = self.here.given
        self.here.given = before | (frozenset() if condition is None else given_when(condition, holds=holds))
        value = self._value(branch)
        self.here.given = before
        return value

    # --- calls --------------------------------------------------------------------------------------------------------
    def _call(self, node: ke.Call) -> Value | None:  # noqa: PLR0911 - one case a kind of function
        name = node.function
        if name == "given":
            return self._given(node)
        if name == "index":
            return self._index(node)
        if name in REDUCTIONS and (name not in ("max", "min") or any(map(self._is_axis, node.arguments[1:]))):
            remedy = "write `reduce: {name: …}`, and use it by its name"
            self.here.refuse(codes.REDUCTION, node.name, f"'{name}' is a reduction", remedy)
            return None
        arguments = self._arguments(node)
        if arguments is None:
            return None
        if name == "where":
            condition, then, otherwise = arguments
            return self._select(condition, then, otherwise, node.span)
        values = self._values(arguments)
        if values is None or name not in CASTS:
            return None if values is None else self.operators.call(name, values, node.span)
        return self.operators.cast(name, values[0], node.span)

    def _is_axis(self, argument: ke.Written | ke.Pack | ke.Keyword) -> bool:
        if isinstance(argument, ke.Pack | ke.Keyword):
            return True
        context = self.here.context
        names = (context.sizes | context.packs) - context.arguments.keys()
        return isinstance(argument, Name) and argument.name in names

    def _arguments(self, node: ke.Call) -> list[ke.Written] | None:
        """Return the arguments of a call; ``None`` after reporting a wrong number or kind of them."""
        name, arity = node.function, self._arity(node)
        arguments: list[ke.Written] = []
        for each in node.arguments:
            if isinstance(each, ke.Keyword | ke.Pack):
                written = f"'{each.name}='" if isinstance(each, ke.Keyword) else f"'*{each.name}'"
                message = f"'{name}' takes values, found {written}"
                self.here.refuse(codes.UNKNOWN_FUNCTION, each.span, message, "pass values alone, by their places")
            else:
                arguments.append(each)
        is_whole = len(arguments) == len(node.arguments)
        if is_whole and arity is not None and arity != len(arguments):
            message = f"'{name}' takes {arity} argument{'' if arity == 1 else 's'}, found {len(arguments)}"
            self.here.refuse(codes.UNKNOWN_FUNCTION, node.span, message, f"write `{name}({_usage(name, arity)})`")
        if is_whole and arity == len(arguments):
            return arguments
        self._values(arguments)  # for the mistakes in them
        return None

    def _arity(self, node: ke.Call) -> int | None:
        name = node.function
        if name in CASTS:
            return 1
        if name in FUNCTIONS:
            return FUNCTIONS[name].arity
        if name in SPECIAL:
            return SPECIAL[name][0]
        if name in DTYPES:
            self.here.refuse(codes.DTYPE, node.name, f"expressions can't compute with {name}")
            return None
        remedy = FUNCTIONS_ELSEWHERE.get(name)
        if remedy is None and (name in SYNONYMS or name in CLASSES):
            remedy = f"write `{SYNONYMS.get(name, 'float32')}`"
        remedy = remedy or did_you_mean(name, (*FUNCTIONS, *SPECIAL, *CASTS), codes.UNKNOWN_FUNCTION.remedy)
        self.here.refuse(codes.UNKNOWN_FUNCTION, node.name, f"there is no function '{name}'", remedy)
        return None

    def _given(self, node: ke.Call) -> Value | None:
        argument = None
        if len(node.arguments) == 1 and isinstance(node.arguments[0], Name):
            argument = self.here.context.arguments.get(node.arguments[0].name)
        if argument is not None and argument.is_optional:
            return Given(argument.name, BOOL, node.span)
        if argument is None:
            message = "'given' takes the name of one optional argument"
            self.here.refuse(codes.UNKNOWN_FUNCTION, node.span, message, "write `given(x)`")
        else:
            remedy = "make it optional in `func`, or leave the question out"
            self.here.refuse(codes.OPTIONAL, node.span, f"'{argument.name}' is always given", remedy)
        return None

    def _index(self, node: ke.Call) -> Value | None:
        found = node.arguments[0].name if len(node.arguments) == 1 and isinstance(node.arguments[0], Name) else ""
        axes = [axis.name for axis in self.here.space.by_name.values() if not axis.is_pack]
        if found in axes:
            self.here.space.order((Dim(found),))
            return Index(found, INT64, node.span)
        remedy = did_you_mean(found, axes, f"the dims are {', '.join(axes)}" if axes else codes.AXIS.remedy)
        self.here.refuse(codes.AXIS, node.span, "'index' takes the name of one dim", remedy)
        return None


def _usage(name: str, arity: int) -> str:
    return "condition, a, b" if name == "where" else ", ".join("xyz"[:arity])
