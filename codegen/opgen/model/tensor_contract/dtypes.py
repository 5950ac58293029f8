"""Resolves dtypes: sets for inputs, one value for outputs; ties (``x.dtype``) must not form a cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product

from opgen.diagnostics import Code
from opgen.model.op import Argument
from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Entry, shared
from opgen.model.tensor_contract.guards import Guard
from opgen.model.tensor_contract.scope import Kind, Scope, did_you_mean, has_gaps, kind_of
from opgen.model.tensors import DtypeArgument, DtypeEither, DtypeLike, DtypePromoted, DtypeSet, ResolvedDtype
from opgen.records import dataclass
from opgen.schema.nodes import BaseType
from opgen.schema.types import without_optional
from opgen.source import Span
from opgen.spec.dtypes import CLASSES, DTYPES, in_order
from opgen.spec.report import Report
from opgen.spec.tensor_spec import Dtype, DtypeName, DtypeOf, DtypeOr, DtypePromote, DtypeUnion

_MOST_TIES = 100
_MOST_WAYS = 1000
"""How many ways along ties are followed, where they may lead back: each branch on the way may double them."""


@dataclass(frozen=True)
class Dtypes:
    """Resolves the dtypes of one op.

    Attributes:
        branches: tensor -> its entries branch by branch, for following ties.
        own: the library's own sets of dtypes, by name.
    """

    scope: Scope
    report: Report
    branches: Mapping[str, Sequence[Entry]]
    own: Mapping[str, Dtype]

    def of_input(self, entry: Entry) -> ResolvedDtype | None:
        """Resolve the dtypes that an argument may have; ``None`` after reporting a mistake."""
        if self._has_no_end(entry):
            return None
        return self._resolve(entry.spec.dtype, entry)

    def of_output(self, entry: Entry) -> ResolvedDtype | None:
        """Resolve the dtype of an output; ``None`` after reporting a mistake."""
        if self._has_no_end(entry):
            return None
        dtype = self._resolve(entry.spec.dtype, entry)
        if dtype is not None and not is_one(dtype):
            written = entry.written(entry.spec.dtype.span)
            self._refuse(codes.OUTPUT_DTYPE, entry, entry.spec.dtype.span, f"'{written}' is more than one dtype")
            return None
        return dtype

    def _refuse(self, code: Code, entry: Entry, span: Span, message: str, help_: str = "") -> None:
        self.report.add(code, f"'{entry.key}': {message}", entry.place(span), help_)

    def _resolve(self, dtype: Dtype, entry: Entry) -> ResolvedDtype | None:
        match dtype:
            case DtypeName():
                return self._name(dtype, entry)
            case DtypeOf():
                return self._like(dtype, entry)
            case DtypeUnion():
                return self._union(dtype, entry)
            case DtypePromote():
                return self._promote(dtype, entry)
            case DtypeOr():
                return self._first_given(dtype, entry)

    def _name(self, dtype: DtypeName, entry: Entry) -> ResolvedDtype | None:
        argument = self.scope.arguments.get(dtype.name)
        if argument is not None and kind_of(argument) is Kind.DTYPE:
            if not argument.is_optional:
                return DtypeArgument(dtype.name)
            remedy = f"write `{dtype.name} or float32`, or tie it to a tensor: `{dtype.name} or x.dtype`"
            self._refuse(codes.DTYPE_ARGUMENT, entry, dtype.span, f"'{dtype.name}' may be None", remedy)
            return None
        names = self._members(dtype, entry)
        return DtypeSet(names) if names else None

    def _members(self, dtype: DtypeName, entry: Entry) -> tuple[str, ...]:
        """Return the members of a class or of one of the library's own sets, or the dtype itself."""
        name = dtype.name
        if name in self.own:
            own = self.own[name]
            parts = own.choices if isinstance(own, DtypeUnion) else (own,)
            words = [part.name for part in parts if isinstance(part, DtypeName)]
            names = [member for word in words for member in CLASSES.get(word, (word,))]
            if len(words) == len(parts) and set(names) <= set(DTYPES):
                return in_order(names)
            remedy = "write the set as `float16|bfloat16`"
            self._refuse(codes.UNKNOWN_DTYPE, entry, dtype.span, f"the set '{name}' does not consist of dtypes", remedy)
            return ()
        if name in CLASSES or name in DTYPES:
            return CLASSES.get(name, (name,))
        choices = [*DTYPES, *CLASSES, *self.own, *self.scope.of_kind(Kind.DTYPE)]
        remedy = did_you_mean(name, choices, codes.UNKNOWN_DTYPE.remedy)
        if name in self.scope.arguments:
            remedy = f"write `{name}.dtype`"
        self._refuse(codes.UNKNOWN_DTYPE, entry, dtype.span, f"there is no dtype '{name}'", remedy)
        return ()

    def _like(self, dtype: DtypeOf, entry: Entry) -> ResolvedDtype | None:
        others = self.branches.get(dtype.tensor)
        if dtype.tensor in self.scope.arguments or not others or entry.argument is not None:
            return DtypeLike(dtype.tensor) if self._is_tensor(dtype.tensor, entry, dtype.span) else None
        first, *rest = shared(others, lambda other: other.spec.dtype)
        if not rest:
            return self.of_output(first)
        message = f"'{dtype.tensor}' has one dtype or another"
        self._refuse(codes.OUTPUT_DTYPE, entry, dtype.span, message, "state both by the same condition")
        return None

    def _is_tensor(self, name: str, entry: Entry, span: Span) -> bool:
        """Whether a name is a tensor argument that is given whenever this entry's tensor is; else it is reported."""
        argument = self.scope.arguments.get(name)
        if argument is None or kind_of(argument) not in (Kind.TENSOR, Kind.TENSORS):
            remedy = did_you_mean(name, self.scope.of_kind(Kind.TENSOR, Kind.TENSORS), codes.DTYPE_ARGUMENT.remedy)
            what = "no argument" if argument is None else kind_of(argument).value
            self._refuse(codes.DTYPE_ARGUMENT, entry, span, f"'{name}' is {what}, expected a tensor", remedy)
            return False
        if has_gaps(argument):
            self._refuse(
                codes.DTYPE_ARGUMENT, entry, span, f"an element of '{name}' may be None, and has no dtype then"
            )
            return False
        is_tie = entry.argument is not None and isinstance(entry.spec.dtype, DtypeOf | DtypeUnion)
        if argument.is_optional and not is_tie:
            self._refuse(codes.DTYPE_ARGUMENT, entry, span, f"'{name}' may be None, and has no dtype then")
            return False
        return True

    def _union(self, dtype: DtypeUnion, entry: Entry) -> ResolvedDtype | None:
        ties = [choice for choice in dtype.choices if isinstance(choice, DtypeOf)]
        parts = [self._members(choice, entry) for choice in dtype.choices if isinstance(choice, DtypeName)]
        if not all(parts):
            return None
        names = in_order(name for part in parts for name in part)
        if not ties:
            return DtypeSet(names)
        likes = tuple(like for tie in ties if isinstance(like := self._like(tie, entry), DtypeLike))
        return DtypeEither(tuple(dict.fromkeys(likes)), names) if len(likes) == len(ties) else None

    def _promote(self, dtype: DtypePromote, entry: Entry) -> ResolvedDtype | None:
        arguments = self.scope.arguments
        kinds = {name: kind_of(arguments[name]) for name in dtype.arguments if name in arguments}
        required = [name for name, kind in kinds.items() if kind is Kind.TENSOR and not arguments[name].is_optional]
        for name in dtype.arguments:
            if kinds.get(name) not in (Kind.TENSOR, Kind.INTEGER, Kind.NUMBER, Kind.CONDITION):
                what = kinds[name].value if name in kinds else "no argument"
                remedy = did_you_mean(name, arguments, "promote tensors and numbers")
                message = f"'{name}' is {what}, expected a tensor or a number"
                self._refuse(codes.DTYPE_ARGUMENT, entry, dtype.span, message, remedy)
                return None
        if not required:
            message = "nothing is promoted where no tensor is given"
            self._refuse(codes.DTYPE_ARGUMENT, entry, dtype.span, message, "name a tensor that is always given")
            return None
        numbers = [_of_number(arguments[name]) for name in dtype.arguments if kinds[name] is not Kind.TENSOR]
        widest = {max(choice, key=DTYPES.index) for choice in product(*numbers)} if numbers else set()
        return DtypePromoted(dtype.arguments, in_order(widest))

    def _first_given(self, dtype: DtypeOr, entry: Entry) -> ResolvedDtype | None:
        *firsts, last = dtype.choices
        resolved = self._resolve(last, entry)
        for first in reversed(firsts):
            name = first.name if isinstance(first, DtypeName) else ""
            argument = self.scope.arguments.get(name)
            if argument is None or kind_of(argument) is not Kind.DTYPE:
                written = entry.written(first.span)
                message = f"expected an argument of type ScalarType? before 'or', found '{written}'"
                self._refuse(codes.DTYPE_ARGUMENT, entry, first.span, message)
                return None
            if not argument.is_optional:
                message = f"'{name}' is never None, so that nothing after 'or' is used"
                self._refuse(codes.DTYPE_ARGUMENT, entry, first.span, message, f"write `{name}` alone")
                return None
            resolved = resolved and DtypeArgument(name, resolved)
        return resolved

    @cached_property
    def _levels(self) -> Mapping[str, int]:
        """Over how many tensors the dtype of each is tied, at most; those are missing whose ties may lead back."""
        ties = {
            name: {tie for each in branches for tie in _ties(each.spec.dtype)}
            for name, branches in self.branches.items()
        }
        users: dict[str, list[str]] = {}
        for name, others in ties.items():
            for other in others:
                users.setdefault(other, []).append(name)
        open_ties = {name: len(others) for name, others in ties.items()}
        levels = dict.fromkeys((name for name in {*ties, *users} if not ties.get(name)), 0)
        waiting = [*levels]
        while waiting:
            done = waiting.pop()
            for user in users.get(done, ()):
                open_ties[user] -= 1
                if not open_ties[user]:
                    levels[user] = 1 + max(levels[other] for other in ties[user])
                    waiting.append(user)
        return levels

    def _has_no_end(self, entry: Entry) -> bool:
        """Say whether ties lead back to where they have been, in branches that can meet in one call, or too far."""
        level = self._levels.get(entry.tensor)
        if level is not None and level <= _MOST_TIES:
            return False
        ways = [] if level is not None else [*islice(self._paths((entry.tensor,), entry.guard), _MOST_WAYS)]
        for path, guard in ways:
            if guard.is_possible and len(path) <= _MOST_TIES:
                if path[-1] == entry.tensor:
                    message = f"the dtype is tied to itself: {' -> '.join(path)}"
                    self._refuse(codes.DTYPE_CYCLE, entry, entry.spec.dtype.span, message)
                return True
        is_too_long = level is not None or len(ways) == _MOST_WAYS or any(len(path) > _MOST_TIES for path, _ in ways)
        if is_too_long:
            message = f"the dtype is tied over more than {_MOST_TIES} tensors"
            self._refuse(codes.DTYPE_CYCLE, entry, entry.spec.dtype.span, message, "tie it to the last of them")
        return is_too_long

    def _paths(self, path: tuple[str, ...], guard: Guard) -> Iterator[tuple[tuple[str, ...], Guard]]:
        """Yield every way along ties that closes, and the beginning of one that is too long."""
        if path[-1] in path[:-1] or len(path) > _MOST_TIES:
            yield path, guard
            return
        for branch in self.branches.get(path[-1], ()):
            for tensor in _ties(branch.spec.dtype):
                yield from self._paths((*path, tensor), guard | branch.guard)


def _ties(dtype: Dtype) -> tuple[str, ...]:
    """Return the tensors that a dtype is tied to."""
    match dtype:
        case DtypeOf(tensor):
            return (tensor,)
        case DtypePromote(arguments):
            return arguments
        case DtypeUnion(choices) | DtypeOr(choices):
            return tuple(dict.fromkeys(tie for choice in choices for tie in _ties(choice)))
    return ()


def _of_number(argument: Argument) -> tuple[str, ...]:
    """Return the dtypes that a scalar may contribute to a promotion; a bool contributes nothing, as ``None`` does."""
    type_ = without_optional(argument.type)
    name = type_.name if isinstance(type_, BaseType) else ""
    dtypes = _NUMBERS.get(name.removeprefix("Sym").lower(), ("bool",))
    return ("bool", *dtypes) if argument.is_optional else dtypes


_NUMBERS = {"int": ("int64",), "float": ("float32",), "scalar": ("bool", "int64", "float32")}
"""The dtypes of Python numbers with the default ``torch.get_default_dtype()``; complex ones are not supported."""


def is_one(dtype: ResolvedDtype) -> bool:
    """Whether a dtype is a single one in every call, and no set."""
    match dtype:
        case DtypeSet(names):
            return len(names) == 1
        case DtypeEither():
            return False
        case DtypeArgument(_, otherwise):
            return otherwise is None or is_one(otherwise)
    return True
