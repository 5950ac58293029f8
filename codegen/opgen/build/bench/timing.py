"""A script that ``opgen bench`` runs in the interpreter with torch, to time calls of ops and hand-registered ones.

It takes one JSON object, ``{"binaries": [PATH], "ops": [NAME], "turns": COUNT}``, in the folder of a built library. It
prints lines that begin with a record separator, each a JSON object: ``{}`` when everything is loaded, then one for each
op. Other output, as of kernels, is ignored. Times are in microseconds for a call.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import torch

MARK = "\x1e"
_TURN = 1e-3  # seconds for one side, far longer than the resolution of clocks
_MOST_CALLS = 1000  # in a turn
_TESTS = Path("generated/tests")

Call = Callable[[], object]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Pin the process to one core, if the system allows it, and disable garbage collection."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    if cores:
        os.sched_setaffinity(0, {max(cores)})
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        if cores:
            os.sched_setaffinity(0, cores)


def in_turns(
    calls: Mapping[str, Call], turns: int, most: int = _MOST_CALLS, timer: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Time calls in short alternating turns, so that slow moments of the machine affect all calls alike.

    Returns:
        For each call a time for each turn, in microseconds; without the first turn, which is a warm-up.
    """
    slowest = max(_timed(call, 10, timer) for call in calls.values())
    count = max(1, min(most, int(_TURN / max(slowest, 1e-9))))
    figures: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(turns + 1):
        for name in list(calls)[:: 1 if turn % 2 else -1]:
            seconds = _timed(calls[name], count, timer)
            if turn:
                figures[name].append(1e6 * seconds)
    return figures


def _timed(call: Call, count: int, timer: Callable[[], float]) -> float:
    numbers = range(count)
    begin = timer()
    for _ in numbers:
        call()
    return (timer() - begin) / count


def python_calls(call: Call) -> Counter[str]:
    """Return the Python functions that a call runs, as ``FILE:NAME``, with their counts."""
    seen: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen[f"{frame.f_code.co_filename}:{frame.f_code.co_name}"] += 1

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return seen


def measured(tests: Any, turns: int) -> dict[str, Any]:
    """Return the times of both sides by mode, on the smallest sample, or the reason why there are none."""
    case = None if tests.skip or tests.problem else _smallest(tests)
    if case is None:
        return {"problem": tests.skip or tests.problem or "there is no sample for it"}
    namespace, _, name = tests.operator.name.partition("::")
    packet, _, overload = name.partition(".")
    by_hand = getattr(getattr(getattr(torch.ops, f"{namespace}_by_hand"), packet), overload or "default")
    sides = {"ours": _call(tests.operator, tests.operator.live, case), "by_hand": _call(tests.operator, by_hand, case)}
    modes = {}
    for mode, grad in (("no_grad", False), ("grad", True)):
        with torch.set_grad_enabled(grad), undisturbed():
            figures = in_turns(sides, turns)
            extra = python_calls(sides["ours"]) - python_calls(sides["by_hand"])
        modes[mode] = {**figures, "python": sorted(extra.elements())}
    return {"sample": str(case), "modes": modes}


def _smallest(tests: Any) -> Any:
    """Return the sample with the fewest elements, but prefer contiguous tensors, which hand-registered kernels assume.

    A sample with empty tensors is only chosen if there is no other.
    """

    def size(case: Any) -> tuple[bool, bool, int]:
        tensors = [each for value in case.arguments().values() for each in _tensors(value)]
        is_plain = all(each.is_contiguous() for each in tensors)
        return any(each.numel() == 0 for each in tensors), not is_plain, sum(each.numel() for each in tensors)

    return min((case for case in tests.cases() if case.device == "cpu"), key=size, default=None)


def _tensors(value: Any) -> list[torch.Tensor]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, torch.Tensor)]


def _call(operator: Any, op: Any, case: Any) -> Call:
    """Return a call of the dispatcher's op, without Python wrapper, on copies of the arguments, which it may write."""
    positional, keywords = operator.bind(case.arguments())
    return partial(op, *positional, **keywords)


def tell(record: dict[str, Any]) -> None:
    """Print one object and flush, as the next call may crash the process."""
    sys.stdout.write(f"\n{MARK}{json.dumps(record)}\n")
    sys.stdout.flush()


def main() -> None:
    """Load both sides, and measure the ops that are asked for."""
    plan = json.loads(sys.argv[1])
    sys.path[:0] = [str(path.resolve()) for path in (_TESTS, Path(), Path("generated"))]
    for path in sorted(_TESTS.glob("test_*.py")):
        importlib.import_module(path.stem)
    tests = {each.operator.name: each for each in importlib.import_module("_support").OperatorTests.__subclasses__()}
    for each in tests.values():
        importlib.import_module(each.operator.package)
    for binary in plan["binaries"]:
        torch.ops.load_library(str(Path(binary).resolve()))  # type: ignore[no-untyped-call]  # torch has no types there
    torch.set_num_threads(1)
    tell({})
    for name in plan["ops"]:
        try:
            found = measured(tests[name], plan["turns"])
        except Exception as error:  # noqa: BLE001 - any exception of an op is its result
            found = {"error": f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"}
        tell({"op": name, **found})


if __name__ == "__main__":
    main()
