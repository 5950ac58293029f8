"""Print `docs/aten-parity.md`: `python page.py OBSERVATIONS.json`, a file with what is seen of `aten`, `stable` and `classic`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from differences import DIFFERENCES
from overview import PROMISES
from situations import SECTIONS
from situations.situation import EVERY, Situation
from subjects import FORMS, forms_of
from verdict import EQUAL, leaves, verdict

SITUATIONS = [situation for section in SECTIONS.values() for situation in section]
HEAD = """\
# Generated ops compared with ATen's

A hand-written C++ in-place or out= op lacks much of what ATen's own ops do: it bumps no version counters, accepts
leaves that require grad and overlapping memory, and is not functionalised. `tests/differential/` declares twins of
ATen's ops, builds them for the stable and the classic ABI, and calls both a twin and ATen's op in every situation
below. It compares values, versions, identity, gradients, and the class and kind of an error. This page shows the
results; a test compares it with what is observed.

| form | ATen's op | opgen's twin |
|---|---|---|
| functional | `torch.add(w, y)` | `add(Tensor x, Tensor y) -> Tensor` |
| in-place | `w.add_(y)` | `add_`, from its `autogen` |
| out= | `torch.add(y, y, out=w)` | `add.out`, from its `autogen` |
| two outs | `torch.sort(y, out=(w, indices))` | `sort.out`, from the `autogen` of `sort(Tensor x) -> (Tensor values, Tensor indices)` |
| mutable | `w.add_(y)`, ignoring its result | `accumulate(Tensor(a!) x, Tensor y) -> ()` |
| list | `torch._foreach_add_([v, w], [y, y])` | `accumulate_all(Tensor(a!)[] xs, Tensor[] ys) -> ()` |
| no derivative | `torch.heaviside(w, y)`, `w.heaviside_(y)` | `heaviside` and `heaviside_`, from its `autogen` |

The observations are from torch 2.13. Torch 2.14 gives the same results, with the same stable-ABI binary and with a
classic one that was built for it. On torch 2.10 the stable-ABI binary differs in one message: when it refuses to write
a view that was made under `no_grad`, it calls the view a leaf, because that release doesn't provide ATen's message.

`=` means equal to ATen; `= leaf` means that both refuse the call with an error of that kind. Any other entry names a
deliberate difference, which is explained below the tables with what both sides do. An empty cell means that the
situation doesn't apply to the form. `w` is written, `y` is read.
"""


def page(seen: Mapping[str, Any]) -> str:
    """Lay out the page."""
    parts = [HEAD, summary(seen), overview(seen)]
    for title, situations in SECTIONS.items():
        heads = [form.name for form in FORMS]
        lines = [f"## {title}", "", f"| | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
        lines += [f"| {each.name} | {' | '.join(map(str, cells(each, seen)))} |" for each in situations]
        parts.append("\n".join(lines) + "\n")
    parts.append("## Deliberate differences\n")
    for key, text in DIFFERENCES.items():
        parts.append("\n".join([f"**{key}.** {text}", "", *(f"- {line}" for line in details(seen, key))]) + "\n")
    return "\n".join(parts)


def summary(seen: Mapping[str, Any]) -> str:
    """Count the cells."""
    outcomes = [judge(situation, form.name, seen) for situation in SITUATIONS for form in forms_of(situation)]
    equal = outcomes.count(EQUAL)
    return f"{len(outcomes)} cells on each ABI: {equal} equal, {len(outcomes) - equal} differ on purpose.\n"


def overview(seen: Mapping[str, Any]) -> str:
    """Lay out what an author asks first, and the rows that answer it."""
    names = {each.name: each for each in SITUATIONS}
    lines = ["| promise | forms | rows below |", "|---|---|---|"]
    for promise, forms, rows in PROMISES:
        shown = (f"{row}{reasons(names[row], forms.split(', '), seen)}" for row in rows)
        lines.append(f"| {promise} | {forms} | {'; '.join(shown)} |")
    return "\n".join(lines) + "\n"


def reasons(situation: Situation, forms: Sequence[str], seen: Mapping[str, Any]) -> str:
    """Name the differences of a row in some forms, for the reader of a list of rows."""
    possible = {form.name for form in forms_of(situation)}
    outcomes = dict.fromkeys(judge(situation, form, seen) for form in forms if form in possible)
    different = [outcome for outcome in outcomes if outcome != EQUAL]
    return f" (**{'**, **'.join(different)}**)" if different else ""


def cells(situation: Situation, seen: Mapping[str, Any]) -> Iterator[str]:
    """Yield the entries of a row."""
    possible = {form.name for form in forms_of(situation)}
    for name in (form.name for form in FORMS):
        outcome = judge(situation, name, seen) if name in possible else ""
        yield f"= {refusal(seen['aten'][situation.name][name])}".rstrip() if outcome == EQUAL else outcome


def judge(situation: Situation, form: str, seen: Mapping[str, Any]) -> str:
    """Return the verdict of one cell."""
    allowed = situation.differs.get(form, situation.differs.get(EVERY))
    twins = {abi: seen[abi][situation.name][form] for abi in ("stable", "classic")}
    return verdict(seen["aten"][situation.name][form], twins, allowed)


def refusal(observation: Any) -> str:
    """Return the kind of the error that was observed, or nothing."""
    if isinstance(observation, dict):
        return refusal(observation.get("result"))
    if isinstance(observation, list) and observation:
        return refusal(observation[0])
    name, colon, kind = observation.partition(": ") if isinstance(observation, str) else ("", "", "")
    return kind if colon and name.endswith(("Error", "Exception", "Unsupported")) else ""


def details(seen: Mapping[str, Any], key: str) -> Iterator[str]:
    """Yield what both sides do where they differ for a reason; forms that do the same share a line."""
    for situation in SITUATIONS:
        forms: dict[str, list[str]] = {}
        for form in forms_of(situation):
            if judge(situation, form.name, seen) == key:
                aten, twin = (seen[name][situation.name][form.name] for name in ("aten", "stable"))
                first = next(leaves(aten, twin)).replace(", opgen: ", "`, opgen `")
                forms.setdefault(first, []).append(form.name)
        yield from (f"{situation.name}: {'; '.join(names)}: ATen `{first}`" for first, names in forms.items())


if __name__ == "__main__":
    print(page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), end="")  # noqa: T201 - the output
