"""What a call costs: generated ops beside the same by hand on the same ABI, `torch.library.custom_op`, and ATen's own.

    python benchmarks/calls.py [--rounds N]

All are built in a temporary folder and measured in one process, by turns: a round times each op once, so that a slow
moment of the machine meets all alike, and the median of the rounds counts. Four floats, microseconds of the processor
a call: what else runs on the machine counts little.
"""
# These are scripts, no package.

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from timeit import Timer
from typing import Any

import torch
from torch import Tensor

from opgen.build.toolchain import Toolchain, find_toolchain

HERE = Path(__file__).resolve().parent
TWINS = HERE.parent / "tests" / "differential"
NAMES = {"stable": "twins", "classic": "classic_twins"}
REACH = {"functional": 1.05, "no_grad": 1.25, "grad mode": 2.5, "custom_op": 0.3}


@dataclass(frozen=True)
class Row:
    """One form of one ABI in one mode; every function takes nothing and makes one call."""

    name: str
    reach: float
    generated: Callable[[], Any]
    by_hand: Callable[[], Any]
    custom_op: Callable[[], Any]
    aten: Callable[[], Any]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=41)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for abi in NAMES:
            build(Path(folder) / abi, abi)
        print("| call | generated | by hand | ratio | reach | custom_op | ratio | reach | ATen |")  # noqa: T201
        print("|---|---|---|---|---|---|---|---|---|")  # noqa: T201
        for abi, name in NAMES.items():
            for row in rows(abi, importlib.import_module(f"{name}_ops"), getattr(torch.ops, by_hand(abi))):
                print(line(row, rounds), flush=True)  # noqa: T201


def build(folder: Path, abi: str) -> None:
    """Build the twins and what is written by hand, and load both."""
    for path in (TWINS / "ops.yaml", *(TWINS / "kernels").rglob("*.*")):
        text = re.sub(r"\n    autograd: .*", "", path.read_text(encoding="utf-8"))  # a formula has a price of its own
        text = text.replace("twins", NAMES[abi]).replace("opgen: 1\n", f"opgen: 1\nabi: {abi}\n")
        (folder / path.relative_to(TWINS)).parent.mkdir(parents=True, exist_ok=True)
        (folder / path.relative_to(TWINS)).write_text(text, encoding="utf-8")
    run([sys.executable, "-m", "opgen", "build"], folder)
    sys.path.insert(0, str(folder / "generated"))
    tools = find_toolchain(None, (2, 10))
    if not isinstance(tools, Toolchain):
        sys.exit(str(tools))
    torch_folder = tools.torch.folder
    target = ["-DTORCH_TARGET_VERSION=0x020a000000000000"] if abi == "stable" else []
    flags = shlex.split("-std=c++17 -O3 -DNDEBUG -fPIC -shared") + target
    paths = ["-isystem", torch_folder / "include", "-L", torch_folder / "lib", "-ltorch_cpu", "-lc10"]
    binary = folder / "by_hand.so"
    run([*tools.compiler, *flags, HERE / "by_hand" / f"{abi}.cpp", "-o", binary, *paths], folder)
    torch.ops.load_library(str(binary))  # type: ignore[no-untyped-call]


def run(command: list[Any], folder: Path) -> None:
    """Run a command; what it says is shown where it fails."""
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def by_hand(abi: str) -> str:
    """Return the namespace of what is written by hand."""
    return "by_hand" if abi == "stable" else "by_hand_classic"


@torch.library.custom_op("by_decorator::add", mutates_args=())
def custom_add(x: Tensor, y: Tensor) -> Tensor:
    """As `torch.library.custom_op` has it: the calls of ATen inside are part of its price."""
    return x + y


@torch.library.custom_op("by_decorator::accumulate", mutates_args={"x"})
def custom_accumulate(x: Tensor, y: Tensor) -> None:
    """The same in place."""
    x.add_(y)


def rows(abi: str, package: Any, hand: Any) -> Iterator[Row]:
    """Yield what is compared. Compared are `torch.ops` with each other: a Python function in front would cost the same."""
    ops = getattr(torch.ops, package.__name__.removesuffix("_ops"))
    x, y, out = torch.ones(4), torch.zeros(4), torch.empty(4)
    custom = torch.ops.by_decorator
    in_place = lambda: custom.accumulate.default(x, y)  # noqa: E731 - one of a kind with those beside it
    yield Row(
        f"{abi}, functional",
        REACH["functional"],
        lambda: ops.add.default(x, y),
        lambda: hand.add.default(x, y),
        lambda: custom.add.default(x, y),
        lambda: torch.ops.aten.add.Tensor(x, y),
    )
    for mode in ("no_grad", "grad mode"):
        forms: dict[str, tuple[Callable[[], Any], ...]] = {
            "in-place": (
                lambda: ops.add_.default(x, y),
                lambda: hand.add_.default(x, y),
                in_place,
                lambda: torch.ops.aten.add_.Tensor(x, y),
            ),
            "out=": (
                lambda: ops.add.out(x, y, out=out),
                lambda: hand.add.out(x, y, out=out),
                in_place,
                lambda: torch.ops.aten.add.out(x, y, out=out),
            ),
            "mutable": (
                lambda: ops.accumulate.default(x, y),
                lambda: hand.accumulate.default(x, y),
                in_place,
                lambda: torch.ops.aten.add_.Tensor(x, y),
            ),
        }
        for form, functions in forms.items():
            yield Row(f"{abi}, {form}, {mode}", REACH[mode], *functions)


def line(row: Row, rounds: int) -> str:
    """Measure a row, and lay it out."""
    calls = {"generated": row.generated, "by hand": row.by_hand, "custom_op": row.custom_op, "aten": row.aten}
    times = measured(calls, rounds, grad="no_grad" not in row.name)
    hand, decorator = times["generated"] / times["by hand"], times["generated"] / times["custom_op"]
    return (
        f"| {row.name} | {times['generated']:.2f} | {times['by hand']:.2f} | {hand:.2f} | {row.reach} "
        f"| {times['custom_op']:.2f} | {decorator:.2f} | {REACH['custom_op']} | {times['aten']:.2f} |"
    )


def measured(calls: dict[str, Callable[[], Any]], rounds: int, *, grad: bool, number: int = 4000) -> dict[str, float]:
    """Return the median microseconds of each call."""
    timers = {name: Timer(call, timer=time.process_time) for name, call in calls.items()}
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    with torch.set_grad_enabled(grad):
        for timer in timers.values():
            timer.timeit(number)
        for _ in range(rounds):
            for name, timer in timers.items():
                seconds[name].append(timer.timeit(number))
    return {name: 1e6 * statistics.median(values) / number for name, values in seconds.items()}


if __name__ == "__main__":
    main()
