"""Finds the arguments of a valid call in which the selected options hold."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import prod

from opgen.model.evaluate import Violation, evaluate
from opgen.model.evaluate_expression import Environment, UnreadableError
from opgen.model.op import Argument, Op
from opgen.model.sample_values import DtypeValue, SampleValue, TensorValue
from opgen.model.samples.candidates import (
    PRIMES,
    WIDE,
    argument_candidates,
    broadcast_groups,
    integers,
    pack_candidates,
    size_candidates,
)
from opgen.model.samples.elements import with_elements
from opgen.model.samples.placement import device_of, named_strides, strides_for
from opgen.model.samples.search import assignments, names_in
from opgen.model.samples.selection import Selection, dtype_options, tied
from opgen.model.samples.situation import Situation, situations
from opgen.model.samples.template import Template, templates
from opgen.model.samples.wishes import general_wishes, granted
from opgen.model.tensors import (
    CheckCondition,
    CheckDtype,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    Extent,
    ResolvedDtype,
    Step,
)
from opgen.records import dataclass
from opgen.schema.nodes import BaseType, ListType
from opgen.schema.types import without_optional
from opgen.spec.dtypes import DTYPES, promote
from opgen.spec.expression import Comparison, Constant, Expression, Name
from opgen.spec.tensor_spec import ValueRange
from opgen.spec.walk import walk
from opgen.spec.written import render_written

Arguments = dict[str, SampleValue]

_MOST_TRIES = 200
_MOST_SPECIAL = 32
"""How many names are tried to be the one that is empty, narrow or wide."""
_MOST_ELEMENTS = 2**20
_ELEMENT = TensorValue((), "float32")
"""The placeholder for a tensor until its shape is known."""


@dataclass(frozen=True, slots=True)
class Failure:
    """No call was found, since ``condition`` could not be satisfied."""

    condition: str


def make_call(op: Op, selection: Selection, wishes: Sequence[Expression] = ()) -> Arguments | Failure:
    """Find a call with the selected options that satisfies as many of the wishes as possible.

    The wishes that hold for every call take precedence over those passed here.
    """
    failure: Failure | None = None
    for maker in makers(op, selection):
        call = _find(maker, wishes)
        if not isinstance(call, Failure):
            return call
        failure = failure or call
    return failure or Failure("the branch that is asked for")


def _find(maker: CallMaker, wishes: Sequence[Expression]) -> Arguments | Failure:
    failure: Failure | None = None
    for conditions in maker.all_conditions(wishes):
        for candidates in maker.all_candidates():
            for assignment in islice(assignments(candidates, conditions, maker.fixed), _MOST_TRIES):
                try:
                    arguments = maker.arguments(assignment)
                except UnreadableError as error:
                    failure = Failure(f"the contract: {error}")
                    continue
                result = evaluate(maker.op.tensors, arguments)
                if isinstance(result, Violation):
                    failure = Failure(_unmet(result))
                elif not chooses_kernel(maker.op, arguments):
                    failure = Failure("PyTorch's dispatcher, which chooses a kernel by a tensor")
                elif maker.shows_profile(arguments):
                    filled = with_elements(maker.op, arguments, Environment(arguments, result.sizes))
                    if filled is not None:
                        return filled
    return failure or Failure(_unsatisfied(maker))


def _unmet(violation: Violation) -> str:
    """Describe the requirement of the contract that could not be satisfied."""
    if violation.step is None:
        return f"{violation.expected}: {violation.actual}"
    return violation.expected if violation.argument is None else f"{violation.expected} of '{violation.argument}'"


def _unsatisfied(maker: CallMaker) -> str:
    """Return the first condition that can't be satisfied together with those before it."""
    candidates = next(maker.all_candidates(), {})
    checks = (step.check for step in maker.steps)
    written = {check.condition: check.written for check in checks if isinstance(check, CheckCondition)}
    conditions = maker.conditions(0)

    def is_impossible(count: int) -> bool:
        return next(assignments(candidates, conditions[:count], maker.fixed), None) is None

    place = bisect_left(range(1, len(conditions) + 1), x=True, key=is_impossible)
    if place == len(conditions):
        return "the contract with sizes as small as those of samples"
    return written.get(conditions[place], render_written(conditions[place]))


def chooses_kernel(op: Op, arguments: Arguments) -> bool:
    """Whether a call has a tensor, by whose dispatch key the dispatcher chooses a kernel, if the op declares tensors.

    A composite kernel needs none, and the kernels of a hand-registered op are not known; both count as True.
    """
    if not op.tensor_arguments or (op.kernels and all(kernel.is_composite for kernel in op.kernels)):
        return True
    given = (arguments[argument.name] for argument in op.tensor_arguments)
    tensors = (each for value in given for each in (value if isinstance(value, tuple) else (value,)))
    return any(isinstance(each, TensorValue) for each in tensors)


def unmade_arguments(op: Op) -> list[Argument]:
    """Return the required arguments whose type has no sample values, as ``Generator``."""
    return [
        argument
        for argument in op.arguments
        if not (argument.is_tensor or argument.is_tensor_list or argument.is_optional)
        if not argument_candidates(op, argument, 1)
    ]


def _is_symbolic(argument: Argument) -> bool:
    type_ = without_optional(argument.type)
    element = type_.element if isinstance(type_, ListType) else type_
    return isinstance(element, BaseType) and element.name == "SymInt"


def makers(op: Op, selection: Selection) -> Iterator[CallMaker]:
    """Yield a maker of calls with a selection for each combination of branches that the selection leaves open."""
    given = frozenset(a.name for a in op.arguments if not a.is_optional or selection.get("given", a.name))
    fixed = {a.name: _fixed(a, given, selection) for a in op.arguments if not _is_variable(a, given, selection)}
    wanted = {
        each: holds
        for each in op.case_conditions
        if isinstance(holds := selection.get("holds", render_written(each)), bool)
    }
    shapes = {
        name: place for (axis, name), place in selection.options.items() if axis == "shape" and type(place) is int
    }
    for situation in situations(op, given, fixed, wanted, shapes):
        yield CallMaker(op, selection, situation, fixed)


def _is_variable(argument: Argument, given: Collection[str], selection: Selection) -> bool:
    is_mode = selection.get("value", argument.name) is not None
    return not argument.is_tensor and argument.name in given and not is_mode


def _fixed(argument: Argument, given: Collection[str], selection: Selection) -> SampleValue:
    if argument.name not in given:
        return None
    return _ELEMENT if argument.is_tensor else selection.get("value", argument.name)


class CallMaker:
    """Makes calls of one op with one selection in one situation, once sizes are assigned."""

    def __init__(self, op: Op, selection: Selection, situation: Situation, fixed: Mapping[str, SampleValue]) -> None:
        self.op = op
        self.selection = selection
        self.situation = situation
        self.fixed = fixed
        self.steps = tuple(situation.steps(op))
        self._about: dict[str, list[Step]] = {}
        for step in self.steps:
            self._about.setdefault(getattr(step.check, "tensor", ""), []).append(step)
        self.templates = templates(op, situation)

    # --- sizes --------------------------------------------------------------------------------------------------------
    @cached_property
    def names(self) -> list[str]:
        """The sizes and packs that the shapes are made of, in the order of the arguments."""
        read = [
            node.name
            for template in self.templates.values()
            for part in (*template.dims.values(), *map(Name, template.pack_names))
            for node in walk(part)
            if isinstance(node, Name)
        ]
        return [name for name in dict.fromkeys(read) if name not in self.op.argument]

    @cached_property
    def packs(self) -> set[str]:
        """The names among them that are packs."""
        return {name for template in self.templates.values() for name in template.pack_names}

    def all_candidates(self) -> Iterator[dict[str, Sequence[SampleValue]]]:
        """Yield candidates for every variable; the empty, narrow or wide size of a profile is tried at each name."""
        candidates = self._candidates
        special: dict[str, SampleValue] = {}
        match self.selection.get("profile"):
            case "empty":
                empty = self.selection.get("empty")
                names = [name for name in self.names if empty in (None, name)]
                special = {name: (0,) if name in self.packs else 0 for name in names}
            case "wide" | "narrow" as profile:
                last = {name: None for template in self.templates.values() for name in template.last_names}
                free = [name for name in last if name in candidates and name not in self.op.spec.tests.sizes]
                for place, name in enumerate(free):
                    size = WIDE[place % len(WIDE)] if profile == "wide" else 1
                    rows = candidates[name][0] if profile == "narrow" else ()
                    special[name] = (*rows, size) if name in self.packs and isinstance(rows, tuple) else size
                if len(special) > 1:
                    yield {**candidates, **{name: [value] for name, value in special.items()}}
            case _:
                yield candidates
        for name, value in islice(special.items(), _MOST_SPECIAL):
            yield {**candidates, name: [value]}

    @cached_property
    def _candidates(self) -> dict[str, Sequence[SampleValue]]:
        profile, start = self.selection.get("profile"), self.selection.start
        rank = {"deeper": 2, "ones": 0}.get(str(profile), 1)
        found: dict[str, Sequence[SampleValue]] = {}
        groups = broadcast_groups(self.op)
        for place, name in enumerate(self.names):
            if name in self.packs:
                found[name] = pack_candidates(name, groups.get(name), rank, start, place)
            else:
                first = 1 if profile == "ones" else PRIMES[(start + place) % len(PRIMES)]
                found[name] = size_candidates(self.op, name, first)
        for place, argument in enumerate(self.op.arguments):
            if argument.name in self.fixed:
                continue
            if argument.is_tensor_list:
                length = {"deeper": 3, "ones": 1}.get(str(profile), 2)
                found[argument.name] = [(_ELEMENT,) * each for each in dict.fromkeys((length, 2, 1, 3, 0))]
            else:
                # PyTorch's compiler specialises on a plain `int`, so it doesn't vary together with the sizes.
                shift = start if _is_symbolic(argument) else 0
                first = PRIMES[(shift + place + 1) % 4]
                found[argument.name] = argument_candidates(self.op, argument, first)
        return found

    def all_conditions(self, wishes: Sequence[Expression]) -> Iterator[list[Expression]]:
        """Yield lists of conditions to satisfy, the most demanding list first."""
        required = self.conditions(1)  # preferably no output is empty
        if self.selection.get("profile") not in ("ones", "empty"):
            candidates = self._candidates
            varied = {*self.names, *integers(self.op)} - self.packs
            numbers = [name for name in candidates if name in varied]
            wished = [*general_wishes(numbers, [*self.op.conditions]), *wishes]
            about = [wish for wish in wished if names_in(wish) & candidates.keys()]
            if met := granted(about, candidates, required, self.fixed):
                yield [*required, *met]
        yield required
        yield self.conditions(0)

    def conditions(self, least: int) -> list[Expression]:
        """Return the author's conditions, and that each output dim is at least ``least`` and no range is empty."""
        found = [*self.op.conditions, *self.situation.assumed]
        found += [step.check.condition for step in self.steps if step.when and isinstance(step.check, CheckCondition)]
        for template in self.templates.values():
            found += template.agreements
        forms = self.op.tensors.outputs.values()
        made = (spec for form in forms for when, spec in form.cases if spec is not None and self.situation.holds(when))
        sizes = [extent.size for spec in made for extent in spec.extents if isinstance(extent, Extent)]
        found += [Comparison((">=",), (size, Constant(least))) for size in sizes if not isinstance(size, Constant)]
        for tensor, values in self.op.tensors.values.items():
            if (
                isinstance(values, ValueRange)
                and tensor in self.situation.given
                and self.selection.get("profile") != "empty"
            ):
                found.append(Comparison(("<",), (values.low, values.high)))
        return found

    # --- calls --------------------------------------------------------------------------------------------------------
    def arguments(self, assignment: Mapping[str, SampleValue]) -> Arguments:
        """Make the arguments of a call with these sizes and scalars.

        Raises:
            UnreadableError: a shape can't be computed.
        """
        values: Arguments = {**self.fixed, **assignment}
        dtypes: dict[str, str] = {}
        for _ in range(3):  # shapes and strides may depend on another tensor, `xs[0].size(0)`, or on a rank
            for template in self.templates.values():
                dtype = self._dtype(template.tensor, values, dtypes)
                values[template.tensor] = self._tensor_argument(template, values, dtype)
            values.update(named_strides(self.steps, values))
        return {argument.name: values[argument.name] for argument in self.op.arguments}

    def _tensor_argument(self, template: Template, values: Arguments, dtype: str) -> SampleValue:
        argument = self.op.argument[template.tensor]
        if not argument.is_tensor_list:
            return self._tensor(template, values, dtype)
        elements = []
        known = values[template.tensor]
        for place, _ in enumerate(known if isinstance(known, tuple) else ()):
            # Unnamed dims differ between the tensors of a list.
            own = {name: value + place for name, value in values.items() if "[" in name and isinstance(value, int)}
            elements.append(self._tensor(template, {**values, **own}, dtype))
        return tuple(elements)

    def _tensor(self, template: Template, values: Arguments, dtype: str) -> TensorValue:
        environment = Environment(values, {})
        shape = template.shape(environment)
        if any(size < 0 for size in shape) or prod(shape) > _MOST_ELEMENTS:
            raise UnreadableError(f"a '{template.tensor}' of shape {list(shape)}")
        about = self._about.get(template.tensor, ())
        strides = strides_for(template.tensor, shape, about, values, self.selection.get("layout"))
        return TensorValue(shape, dtype, strides, device_of(template.tensor, about, values))

    def shows_profile(self, arguments: Arguments) -> bool:
        """Whether the sizes match the profile: some tensor is empty for ``empty`` and only then, wide for ``wide``, ...

        For ``narrow`` a tensor has a last dim of size 1 and no other dim of size 1.
        """
        values = (value if isinstance(value, tuple) else (value,) for value in arguments.values())
        tensors = [each for value in values for each in value if isinstance(each, TensorValue)]
        is_empty = any(0 in tensor.shape for tensor in tensors)
        is_wide = any(size in WIDE for tensor in tensors for size in tensor.shape[-1:])
        is_narrow = any(tensor.shape[-1:] == (1,) and min(tensor.shape[:-1], default=0) > 1 for tensor in tensors)
        profile = self.selection.get("profile")
        shown = {"empty": is_empty, "wide": is_wide, "narrow": is_narrow}
        return is_empty == (profile == "empty") and shown.get(str(profile), True)

    # --- dtypes -------------------------------------------------------------------------------------------------------
    def _dtype(self, tensor: str, values: Arguments, known: dict[str, str]) -> str:
        """Return the dtype of a tensor; ``known`` are those that were resolved for this call: one may be asked for by all."""
        if tensor not in known:
            known[tensor] = self._declared(tensor, values, known)
        return known[tensor]

    def _declared(self, tensor: str, values: Arguments, known: dict[str, str]) -> str:
        for step in self._about.get(tensor, ()):
            check = step.check
            if isinstance(check, CheckDtype) and check.dtype != DtypeLike(tensor):
                return self._resolve(tensor, check.dtype, values, known)
        is_free = tensor in self.op.tensors.any_dtype
        return self._chosen(tensor, DtypeSet(DTYPES)) if is_free else "float32"

    def _resolve(self, tensor: str, dtype: ResolvedDtype, values: Arguments, known: dict[str, str]) -> str:
        match dtype:
            case DtypeSet():
                return self._chosen(tensor, dtype)
            case DtypeEither(ties):
                chosen = self._chosen(tensor, dtype)
                tie = next((tie for tie in ties if chosen == tied(tie)), None)
                return chosen if tie is None else self._resolve(tensor, tie, values, known)
            case DtypeLike(other):
                return self._dtype(other, values, known)
            case DtypeArgument(argument, otherwise):
                value = values[argument]
                if isinstance(value, DtypeValue):
                    return value.name
                return "float32" if otherwise is None else self._resolve(tensor, otherwise, values, known)
            case DtypePromoted(arguments):
                dtypes = [self._dtype(name, values, known) for name in arguments if name in self.templates]
                joined = dtypes[0]
                for other in dtypes[1:]:
                    joined = promote(joined, other) or joined
                return joined

    def _chosen(self, tensor: str, dtype: DtypeSet | DtypeEither) -> str:
        """Return the selected dtype, or the set's first one if the dtype was selected for another branch."""
        options = dtype_options(dtype)
        chosen = self.selection.get("dtype", tensor)
        return chosen if isinstance(chosen, str) and chosen in options else options[0]
