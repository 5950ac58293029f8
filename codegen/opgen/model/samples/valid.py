"""Makes valid samples: few calls that cover every option of every axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opgen.model.evaluate import Violation, evaluate
from opgen.model.evaluate_expression import Environment
from opgen.model.op import Op
from opgen.model.sample_values import DtypeValue, SampleValue, TensorValue
from opgen.model.samples.call import Arguments, Failure, make_call
from opgen.model.samples.candidates import integers
from opgen.model.samples.limits import most_calls
from opgen.model.samples.sample import Sample
from opgen.model.samples.selection import EMPTY_SIZES, PLAIN_SIZES, PROFILES, Option, Selection, axes, branches
from opgen.model.samples.situation import truth
from opgen.model.samples.wishes import changes
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import Expression
from opgen.spec.written import render_written

_MOST_TRIES = 512
"""How many selections are tried for the options that the first samples don't show, and how many the longest axis makes."""
_MOST_EMPTY = 32
"""The number of sizes that get a sample of their own in which they are 0; an op with hundreds of sizes has too many."""


def valid_samples(op: Op) -> tuple[tuple[Sample, ...], Failure | None, tuple[str, ...]]:
    """Return the samples, the failure of the default call if there are none, and the branches without a sample.

    The first sample takes the default on every axis. The next ones advance all axes at once, so that the longest axis
    decides their number. In a second round the axes are shifted against each other, with sizes all different, and
    integers that had one value so far get another. Each size is 0 in one sample, if the contract allows it (up to
    ``_MOST_EMPTY`` sizes). Options that are not covered yet, since conditions exclude the combination, are tried again
    with fewer others.
    """
    every = axes(op)
    default = Selection.of(axis[0] for axis in every)
    open_options = dict.fromkeys((*(option for axis in every for option in axis), *branches(op)))
    most = most_calls(op, _MOST_TRIES)
    tries = iter(range(most))
    samples: list[Sample] = []
    failure: Failure | None = None
    seen: list[Arguments] = []

    def take(selection: Selection, wishes: Sequence[Expression] = ()) -> bool:
        nonlocal failure
        call = make_call(op, selection, wishes)
        if isinstance(call, Failure):
            failure = failure or call
            return False
        if call not in seen:
            seen.append(call)
            samples.append(Sample(_label(op, selection, default, call), call))
        for option in [*_shown(op, selection, call, open_options)]:
            del open_options[option]
        return True

    longest = min(max(map(len, every), default=1), most)
    for step in range(longest):
        take(Selection.of(axis[step % len(axis)] for axis in every))
    for step in range(min(longest, len(PROFILES))):
        shifted = (axis[(step + place) % len(axis)] for place, axis in enumerate(every))
        take(Selection.of(shifted).chosen(PLAIN_SIZES), [*changes(_unchanged(op, seen))])
    for name in _without_zero(op, seen)[: most_calls(op, _MOST_EMPTY)]:
        take(default.chosen(EMPTY_SIZES).chosen(Option("empty", "", name)))
    for option in tuple(open_options):
        if option in open_options:
            any(take(selection) for selection, _ in zip(_selections_with(option, default, every), tries, strict=False))
    unvisited = tuple(
        f"{each.name} {'holds' if each.value else 'does not hold'}" for each in open_options if each.axis == "holds"
    )
    return tuple(_unique_labels(samples)), failure if not samples else None, unvisited


def _shown(op: Op, selection: Selection, call: Arguments, options: Iterable[Option]) -> Iterator[Option]:
    """Yield the options that a call shows: what branches decide is asked of the call itself."""
    outcome = evaluate(op.tensors, call)
    environment = Environment(call, {} if isinstance(outcome, Violation) else outcome.sizes)
    held = {render_written(condition): truth(condition, environment) for condition in op.case_conditions}
    for option in options:
        if held[option.name] is option.value if option.axis == "holds" else _shows(selection, call, option):
            yield option


def _shows(selection: Selection, call: Arguments, option: Option) -> bool:
    value = call.get(option.name)
    if option.axis == "shape" and value is None:
        return False
    if option.axis == "dtype" and isinstance(value, TensorValue) and option.value in DTYPES:
        return value.dtype == option.value
    return selection.shows(option)


def _unchanged(op: Op, calls: Sequence[Arguments]) -> dict[str, SampleValue]:
    """Return the sizes with one value in all calls, and the integer arguments with one value apart from 0 and 1."""
    values: dict[str, set[int]] = {}
    for call in calls:
        outcome = evaluate(op.tensors, call)
        sizes = {} if isinstance(outcome, Violation) else outcome.sizes
        for name, value in {**sizes, **{name: call[name] for name in integers(op)}}.items():
            if isinstance(value, int):
                values.setdefault(name, set()).add(value)
    telling = {name: ({*found} - {0, 1} if name in op.argument else found) or found for name, found in values.items()}
    return {name: next(iter(found)) for name, found in sorted(telling.items()) if len(found) == 1}


def _without_zero(op: Op, calls: Sequence[Arguments]) -> list[str]:
    """Return the sizes and packs that some call binds, and that no call has as 0 or with a 0."""
    found: dict[str, bool] = {}
    for call in calls:
        outcome = evaluate(op.tensors, call)
        for name, value in ({} if isinstance(outcome, Violation) else outcome.sizes).items():
            found[name] = found.get(name, False) or value == 0 or (isinstance(value, tuple) and 0 in value)
    return [name for name, is_shown in sorted(found.items()) if not is_shown]


def _selections_with(option: Option, default: Selection, every: list[tuple[Option, ...]]) -> Iterator[Selection]:
    """Yield selections with an option, first those that differ least from the default."""
    plain = default.chosen(option)
    if option.axis == "value" and default.get("given", option.name) is False:
        plain = plain.chosen(Option("given", option.name, value=True))
    others = [other for axis in every for other in axis[1:] if (other.axis, other.name) != (option.axis, option.name)]
    yield plain
    if option.value in ("narrow", "wide"):
        return  # conditions that exclude such rows do so whatever else is selected
    yield from (plain.chosen(other) for other in others)
    yield from (plain.chosen(one).chosen(other) for place, one in enumerate(others) for other in others[:place])


def _label(op: Op, selection: Selection, default: Selection, call: Arguments) -> str:
    """Name a sample by its dtype, its size profile and all other options that aren't the default."""
    words = [str(selection.get("profile") or "plain")]
    values = (value[0] if isinstance(value, tuple) and value else value for value in call.values())
    dtype = next((value.dtype for value in values if isinstance(value, TensorValue)), None)
    if dtype is not None:
        words.insert(0, dtype)
    for (axis, name), value in selection.options.items():
        if axis in ("profile", "layout", "dtype") or value == default.get(axis, name):
            continue
        if axis not in ("holds", "empty") and op.argument[name].is_optional and call[name] is None:
            continue
        spelt = {
            "given": f"given({name})",
            "holds": name if value else f"not ({name})",
            "shape": f"{name}-shape-{value}",
            "empty": str(value),
        }
        words.append(spelt.get(axis, f"{name}={_spelt(value)}"))
    if selection.get("layout") != default.get("layout"):
        words.append(str(selection.get("layout")))
    return "-".join(words)


def _spelt(value: SampleValue) -> str:
    return value.name if isinstance(value, DtypeValue) else str(value)


def _unique_labels(samples: list[Sample]) -> Iterator[Sample]:
    taken: dict[str, int] = {}
    for sample in samples:
        count = taken[sample.label] = taken.get(sample.label, 0) + 1
        yield sample if count == 1 else Sample(f"{sample.label}-{count}", sample.arguments)
