"""From what was written to values: every name, type and axis resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from opgen.diagnostics import Code
from opgen.model.compute import codes
from opgen.model.compute.functions import CONSTANTS, FUNCTIONS, REDUCTIONS, SPECIAL, Result
from opgen.model.compute.names import Surroundings
from opgen.model.compute.nodes import (
    Binary,
    Call,
    Cast,
    Compare,
    Dim,
    Given,
    Index,
    Kind,
    Load,
    Logical,
    Named,
    Number,
    Operand,
    Scalar,
    Select,
    SizeOf,
    Unary,
    Value,
    ValueType,
)
from opgen.model.compute.slices import Slices
from opgen.model.compute.space import Space, repeated, shape_of
from opgen.model.compute.value_types import BOOL, INT64, adopt, as_float, join
from opgen.model.compute.walk import given_when
from opgen.model.op import Argument
from opgen.model.tensor_contract.scope import Kind as ArgumentKind
from opgen.model.tensor_contract.scope import did_you_mean, kind_of
from opgen.schema.nodes import BaseType
from opgen.schema.types import without_optional
from opgen.source import Span, Text
from opgen.spec import kernel_expression as ke
from opgen.spec.dtypes import CLASSES, DTYPES, FLOAT, FLOAT8, INTEGRAL, SYNONYMS
from opgen.spec.expression import Constant, Name
from opgen.spec.report import Report

_SCALARS: dict[str, Kind] = {
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "SymFloat": "float",
    "bool": "bool",
    "SymBool": "bool",
    "Scalar": "number",
}
_CASTS = ("bool", *INTEGRAL, *FLOAT, *FLOAT8)
_NUMBERS: tuple[Kind, ...] = ("int", "number", "float")
_OTHER_NAMES = {
    "e": "write `exp(x)`",
    "true": "write `True`",
    "false": "write `False`",
    "None": "write `not given(x)`",
    "infinity": "write `inf`",
    "grad": "gradients belong under `autograd`",
}
_OTHER_FUNCTIONS = {
    "max": "write `maximum(a, b)`",
    "min": "write `minimum(a, b)`",
    "fmax": "write `maximum(a, b)`",
    "fmin": "write `minimum(a, b)`",
    "fabs": "write `abs(x)`",
    "power": "write `x ** y`",
    "swish": "write `silu(x)`",
    "softmax": "write it out: `reduce: {m: max(x, n), s: sum(exp(x - m), n)}`",
    "cast": "cast by the name of a dtype, `float32(x)`",
    "float": "write `float32(x)`, or another dtype of torch",
    "int": "write `int32(x)`, or another dtype of torch",
    "logical_not": "write `not x`",
    "logical_and": "write `x and y`",
    "logical_or": "write `x or y`",
    "if": "write `a if condition else b`",
    "len": "sizes are written by the names of dims",
    "arange": "write `index(n)`, the place along the dim 'n'",
}


class Refused(Exception):
    """A part that has no value; what is wrong with it has been reported."""


class Resolver:
    """Resolves the expressions of one op; each mistake is reported, and what holds it has no value."""

    def __init__(
        self,
        around: Surroundings,
        space: Space,
        report: Report,
        named: Callable[[str], Named | None],
        choices: Iterable[str],
    ) -> None:
        """Prepare.

        Args:
            around: the op.
            space: the axes, which grow with the tensors that are read.
            report: takes the mistakes.
            named: returns what an entry of this name is, ``None`` where there is none such. Raises ``Refused`` where
                that has no value.
            choices: the names of the entries.
        """
        self._around = around
        self._space = space
        self._report = report
        self._named = named
        self._choices = tuple(choices)
        self._slices = Slices(around, space, report)
        self._text = Text.of("")
        self._given: frozenset[str] = frozenset()

    def resolve(self, written: ke.Written, text: Text) -> Value:
        """Return the value of an expression that stands in a text.

        Raises:
            Refused: it has none.
        """
        before = self._text, self._given
        self._text, self._given = text, frozenset()
        try:
            return self._value(written)
        finally:
            self._text, self._given = before

    def refuse(self, code: Code, span: Span, message: str, remedy: str = "") -> Refused:
        """Report a mistake in the text that is being read."""
        self._report.add(code, message, self._text.locate(span), remedy)
        return Refused()

    # --- nodes --------------------------------------------------------------------------------------------------------
    def _value(self, node: ke.Written) -> Value:  # noqa: PLR0911 - one case a node
        match node:
            case Constant(value, span):
                return self._number(value, span)
            case Name():
                return self._name(node)
            case ke.Slice():
                return self._load(node.tensor, node.span, node)
            case ke.Unary():
                return self._unary(node)
            case ke.Binary():
                return self._binary(node)
            case ke.Comparison():
                return self._comparison(node)
            case ke.Logical():
                return self._logical(node)
            case ke.Conditional():
                return self._select(node.condition, node.then, node.otherwise, node.span)
            case ke.Call():
                return self._call(node)

    def _values(self, nodes: Iterable[ke.Written]) -> list[Value]:
        """Resolve several parts, so that the mistakes of all of them are found."""
        values, refused = [], False
        for node in nodes:
            try:
                values.append(self._value(node))
            except Refused:
                refused = True
        if refused:
            raise Refused
        return values

    @staticmethod
    def _number(value: object, span: Span) -> Number:
        match value:
            case bool():
                return Number(value, ValueType("bool", weak=True), span)
            case int():
                return Number(value, ValueType("int", weak=True), span)
            case float():
                return Number(value, ValueType("float", weak=True), span)
        raise TypeError(f"{value!r} is no number")

    def _name(self, node: Name) -> Value:
        name, span, around = node.name, node.span, self._around
        argument = around.arguments.get(name)
        if argument is not None:
            return self._argument(argument, span)
        if (named := self._named(name)) is not None:
            return replace(named, span=span)
        if name in around.sizes:
            return SizeOf(Name(name), ValueType("int", weak=True), span)
        if name in CONSTANTS:
            return self._number(CONSTANTS[name], span)
        if name in around.packs:
            raise self.refuse(
                codes.UNKNOWN_NAME, span, f"'{name}' is a run of dims, expected a value", "name a single dim"
            )
        choices = [*around.arguments, *self._choices, *around.sizes, *CONSTANTS]
        remedy = _OTHER_NAMES.get(name) or did_you_mean(name, choices, codes.UNKNOWN_NAME.remedy)
        if name in FUNCTIONS or name in SPECIAL:
            remedy = f"'{name}' is a function: write `{name}(x)`"
        raise self.refuse(codes.UNKNOWN_NAME, span, f"there is no '{name}' here", remedy)

    def _argument(self, argument: Argument, span: Span) -> Value:
        name = argument.name
        if argument.is_tensor:
            return self._load(name, span)
        type_ = without_optional(argument.type)
        kind = _SCALARS.get(type_.name) if isinstance(type_, BaseType) else None
        if kind is None:
            message = f"'{name}' is {kind_of(argument).value}, expected a tensor or a number"
            raise self.refuse(codes.UNKNOWN_NAME, span, message, "pass what the kernel needs as a tensor or a number")
        self._check_given(argument, span)
        return Scalar(name, ValueType(kind, weak=True), argument.is_optional, span)

    def _check_given(self, argument: Argument, span: Span) -> None:
        name = argument.name
        if argument.is_optional and name not in self._around.known(self._given):
            message = f"'{name}' may be absent here"
            self.refuse(codes.OPTIONAL, span, message, f"write `… if given({name}) else …`")

    def _load(self, name: str, span: Span, part: ke.Slice | None = None) -> Value:
        around = self._around
        argument = around.arguments.get(name)
        if argument is None or not argument.is_tensor:
            tensors = [each.name for each in around.arguments.values() if each.is_tensor]
            what = "is no tensor argument" if argument is None else f"is {kind_of(argument).value}, expected a tensor"
            remedy = did_you_mean(name, tensors, "take a part of a tensor argument")
            raise self.refuse(codes.UNKNOWN_NAME, span, f"'{name}' {what}", remedy)
        self._check_given(argument, span)
        if argument.written and argument.overwrites:
            message = f"'{name}' is a destination, whose contents mean nothing before the call"
            raise self.refuse(codes.MOVED, span, message, f"take '{name}' out of `overwrites`, or read another tensor")
        shape = shape_of(name, around.entries.get(name), self._text.locate(span), self._report)
        held = around.types.of_argument(name)
        if shape is None:
            raise Refused
        type_ = held.value
        if type_ is None:
            message = f"'{name}' holds {_brief(held.names)}, which expressions can't compute with"
            raise self.refuse(codes.DTYPE, span, message)
        operand = Operand(name, self._space.dims(shape), None, argument.is_optional)
        if part is not None:
            sliced = self._slices.part(part, shape, operand, partial(self.refuse, codes.DIMS))
            if sliced is None:
                raise Refused
            operand = sliced
        for axis in repeated(operand.dims):
            message = f"'{name}' has the dim '{axis}' twice"
            raise self.refuse(codes.DIMS, span, message, "a diagonal is read by a kernel that is written by hand")
        self._space.order(operand.dims)
        return Load(operand, type_, span)

    # --- operators ----------------------------------------------------------------------------------------------------
    def _unary(self, node: ke.Unary) -> Value:
        if node.operator == "-" and isinstance(node.operand, Constant) and isinstance(node.operand.value, int | float):
            if not isinstance(node.operand.value, bool):
                return self._number(-node.operand.value, node.span)
        value = self._value(node.operand)
        if node.operator == "not":
            self._expect(value, ("bool",), "'not' takes a truth value", "compare with 0")
            return Unary("not", value, BOOL, node.span)
        if node.operator == "~":
            remedy = "write `not x`" if value.type.kind == "bool" else "cast it, `int32(x)`"
            self._expect(value, ("int",), "'~' takes an integer", remedy)
        else:
            self._expect(value, _NUMBERS, "'-' takes a number", "write `not x`")
        return Unary(node.operator, value, value.type, node.span)

    def _binary(self, node: ke.Binary) -> Value:
        left, right = self._values((node.left, node.right))
        return self.binary(node.operator, left, right, node.span)

    def binary(self, operator: ke.BinaryOperator, left: Value, right: Value, span: Span) -> Binary:
        """Make an operation of two values."""
        what = f"'{operator}' takes"
        if operator in ("&", "|", "^"):
            is_power = operator == "^" and "float" in (left.type.kind, right.type.kind)
            remedy = f"'^' is xor: write `{_short(self._text, left)} ** {_short(self._text, right)}` for a power"
            remedy = remedy if is_power else "cast it, `int32(x)`; truth values are joined by `and` and `or` as well"
            kinds: tuple[Kind, ...] = ("bool", "int")
            self._expect_all((left, right), kinds, f"{what} integers or truth values", remedy)
            if "bool" in (left.type.kind, right.type.kind) and left.type.kind != right.type.kind:
                raise self.refuse(codes.KIND, span, f"{what} two integers or two truth values, found one of each")
        elif operator in ("<<", ">>"):
            self._expect_all((left, right), ("int",), f"{what} integers", "cast it, `int32(x)`")
        type_ = self._meet((left, right), span)
        if type_.kind == "bool" and operator not in ("&", "|", "^"):
            raise self.refuse(
                codes.KIND, span, f"{what} numbers, found two truth values", "cast one of them, `int32(x)`"
            )
        if operator == "/":
            type_ = as_float(type_)
        return Binary(operator, adopt(left, type_), adopt(right, type_), type_, span)

    def _comparison(self, node: ke.Comparison) -> Value:
        values = self._values(node.operands)
        compared: list[Value] = []
        for operator, left, right in zip(node.operators, values, values[1:], strict=False):
            span = Span(left.span.start, right.span.end)
            type_ = self._meet((left, right), span)
            if type_.kind == "bool" and operator not in ("==", "!="):
                self.refuse(codes.KIND, span, f"'{operator}' compares numbers, found two truth values")
            compared.append(Compare(operator, adopt(left, type_), adopt(right, type_), type_, BOOL, span))
        return compared[0] if len(compared) == 1 else Logical("and", tuple(compared), BOOL, node.span)

    def _logical(self, node: ke.Logical) -> Value:
        before, values, refused = self._given, list[Value](), False
        for operand in node.operands:
            try:
                value = self._value(operand)
            except Refused:
                refused = True
                continue
            self._expect(value, ("bool",), f"'{node.operator}' joins truth values", "compare with 0, or write `&`, `|`")
            values.append(value)
            self._given |= given_when(value, holds=node.operator == "and")
        self._given = before
        if refused:
            raise Refused
        return Logical(node.operator, tuple(values), BOOL, node.span)

    def _select(self, condition: ke.Written, then: ke.Written, otherwise: ke.Written, span: Span) -> Value:
        test: Value | None = None
        values, before = list[Value](), self._given
        try:
            test = self._value(condition)
            self._expect(test, ("bool",), "a condition is a truth value", "compare with 0, `x != 0`")
        except Refused:
            test = None
        for branch, holds in ((then, True), (otherwise, False)):
            self._given = before | (given_when(test, holds=holds) if test is not None else frozenset())
            try:
                values.append(self._value(branch))
            except Refused:
                pass
        self._given = before
        if test is None or len(values) < 2:  # noqa: PLR2004 - two branches
            raise Refused
        type_ = self._meet(values, span)
        return Select(test, adopt(values[0], type_), adopt(values[1], type_), type_, span)

    # --- calls --------------------------------------------------------------------------------------------------------
    def _call(self, node: ke.Call) -> Value:
        name = node.function
        if name == "given":
            return self._given_call(node)
        if name == "index":
            return self._index(node)
        if name in REDUCTIONS and not (name in ("max", "min") and not any(map(self._is_axis, node.arguments[1:]))):
            remedy = f"write `reduce: {{name: …}}`, and use it by its name; `{name}` is one of {', '.join(REDUCTIONS)}"
            self._report.add(codes.REDUCTION, f"'{name}' is a reduction", self._text.locate(node.name), remedy)
            raise Refused
        arity = 1 if name in _CASTS else self._arity(node)
        keywords = [each for each in node.arguments if isinstance(each, ke.Keyword | ke.Pack)]
        for each in keywords:
            written = f"'{each.name}='" if isinstance(each, ke.Keyword) else f"'*{each.name}'"
            self.refuse(codes.UNKNOWN_FUNCTION, each.span, f"'{name}' takes values, found {written}", "pass a value")
        arguments = [each for each in node.arguments if not isinstance(each, ke.Keyword | ke.Pack)]
        if not keywords and arity is not None and len(arguments) != arity:
            count = f"{arity} argument{'' if arity == 1 else 's'}"
            message = f"'{name}' takes {count}, found {len(arguments)}"
            self.refuse(codes.UNKNOWN_FUNCTION, node.span, message, _usage(name, arity))
        if keywords or arity is None or len(arguments) != arity:
            self._values(arguments)
            raise Refused
        if name == "where":
            return self._select(*arguments, node.span)
        values = self._values(arguments)
        return self._cast(name, values[0], node.span) if name in _CASTS else self.apply(name, values, node.span)

    def _is_axis(self, argument: ke.Written | ke.Pack | ke.Keyword) -> bool:
        if not isinstance(argument, Name):
            return isinstance(argument, ke.Pack)
        is_argument = argument.name in self._around.arguments
        return not is_argument and argument.name in self._around.sizes | self._around.packs

    def _arity(self, node: ke.Call) -> int | None:
        name = node.function
        if name in FUNCTIONS:
            return FUNCTIONS[name].arity
        if name in SPECIAL:
            return SPECIAL[name][0]
        remedy = _OTHER_FUNCTIONS.get(name)
        if remedy is None and name in DTYPES:
            message = f"'{name}' is no dtype that expressions compute with"
            self._report.add(codes.DTYPE, message, self._text.locate(node.name))
            return None
        if remedy is None and (name in SYNONYMS or name in CLASSES):
            remedy = f"write `{SYNONYMS.get(name, 'float32')}`"
        remedy = remedy or did_you_mean(name, (*FUNCTIONS, *SPECIAL, *_CASTS), codes.UNKNOWN_FUNCTION.remedy)
        self._report.add(codes.UNKNOWN_FUNCTION, f"there is no function '{name}'", self._text.locate(node.name), remedy)
        return None

    def apply(self, name: str, values: list[Value], span: Span) -> Value:
        """Call a function of the table on values."""
        self._expect_all(values, _NUMBERS, f"'{name}' takes numbers", "cast it, `float32(x)`")
        type_ = self._meet(values, span)
        if name == "pow":
            return self.binary("**", *values, span)
        if name == "clamp":
            lower = Call("maximum", tuple(adopt(each, type_) for each in values[:2]), type_, type_, span)
            return Call("minimum", (lower, adopt(values[2], type_)), type_, type_, span)
        result = FUNCTIONS[name].result
        computed = type_ if result is Result.SAME else as_float(type_)
        taken = tuple(adopt(each, computed) for each in values)
        return Call(name, taken, computed, BOOL if result is Result.TEST else computed, span)

    @staticmethod
    def _cast(dtype: str, value: Value, span: Span) -> Value:
        kind: Kind = "bool" if dtype == "bool" else "int" if dtype in INTEGRAL else "float"
        computed = "float32" if dtype in FLOAT8 else dtype
        return Cast(dtype, value, ValueType(kind, dtypes=(computed,)), span)

    def _given_call(self, node: ke.Call) -> Value:
        match node.arguments:
            case (Name(name),) if (argument := self._around.arguments.get(name)) is not None:
                if argument.is_optional:
                    return Given(name, BOOL, node.span)
                message, remedy = f"'{name}' is always given", "make it optional in `func`, or leave the question out"
                raise self.refuse(codes.OPTIONAL, node.span, message, remedy)
        message = "'given' takes the name of one optional argument"
        raise self.refuse(codes.UNKNOWN_FUNCTION, node.span, message, "write `given(x)`")

    def _index(self, node: ke.Call) -> Value:
        match node.arguments:
            case (Name(name),):
                axis = self._space.by_name.get(name)
                if axis is not None and not axis.is_pack:
                    self._space.order((Dim(name),))
                    return Index(name, INT64, node.span)
        choices = [axis.name for axis in self._space.by_name.values() if not axis.is_pack]
        found = node.arguments[0].name if len(node.arguments) == 1 and isinstance(node.arguments[0], Name) else ""
        remedy = did_you_mean(found, choices, f"the dims are {', '.join(choices)}" if choices else codes.AXIS.remedy)
        raise self.refuse(codes.AXIS, node.span, "'index' takes the name of one dim", remedy)

    # --- types --------------------------------------------------------------------------------------------------------
    def _meet(self, values: Iterable[Value], span: Span) -> ValueType:
        """Return what values are computed in together."""
        first, *others = values
        type_ = first.type
        for value in others:
            for one, other in ((type_, value.type), (value.type, type_)):
                if one.weak and one.kind == "number" and not other.weak and other.kind != "float":
                    message = "a `Scalar` meets what may be an integer, and would decide the dtype at the call"
                    remedy = "declare it as `float` or `int`, or give the tensor the class `float`"
                    raise self.refuse(codes.DTYPE, span, message, remedy)
            type_ = join(type_, value.type)
        return type_

    def _expect(self, value: Value, kinds: tuple[Kind, ...], rule: str, remedy: str) -> None:
        if value.type.kind not in kinds:
            raise self.refuse(codes.KIND, value.span, f"{rule}, found {_KIND_WORDS[value.type.kind]}", remedy)

    def _expect_all(self, values: Iterable[Value], kinds: tuple[Kind, ...], rule: str, remedy: str) -> None:
        for value in values:
            self._expect(value, kinds, rule, remedy)


_KIND_WORDS: dict[Kind, str] = {
    "bool": "a truth value",
    "int": "an integer",
    "float": "a floating-point value",
    "number": "what may be a floating-point value",
}


def _brief(names: tuple[str, ...]) -> str:
    return "any dtype" if len(names) == len(DTYPES) else " or ".join(names)


def _usage(name: str, arity: int) -> str:
    letters = "condition, a, b" if name == "where" else ", ".join("xyz"[:arity])
    return f"write `{name}({letters})`"


def _short(text: Text, value: Value) -> str:
    return text.value[value.span.start : value.span.end].strip("()")
