"""Calls of operators, for each ABI: beside the same by hand on that ABI, and PyTorch's decorators."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.comparison import Comparison, Plan, Row
from benchmarks.process import opgen, run
from opgen.build.toolchain import Toolchain, find_toolchain

_HERE = Path(__file__).resolve().parents[1]
_INPUTS = _HERE / "calls"
_BY_HAND = {"functional": 1.05, "no_grad": 1.25, "grad mode": 2.5}
_DECORATORS = {"custom_op": 0.3, "register_autograd": 1.0}
_STANDARDS = {"stable": "-std=c++17", "classic": "-std=c++20"}


def measure(plan: Plan) -> Iterator[Comparison]:
    """Build both sides, and time the calls of an ABI in one process, by turns."""
    for abi in ("stable",) if plan.tiny else _STANDARDS:
        for line, figures in _figures(plan, abi).items():
            ours = tuple(figures.pop("opgen"))
            for maker, theirs in figures.items():
                wanted = _DECORATORS.get(maker) or _BY_HAND[line.rpartition(", ")[2]]
                yield Comparison(f"call: {line}, {abi} ABI", "opgen", maker, "µs", ours, tuple(theirs), wanted)


def _figures(plan: Plan, abi: str) -> dict[str, dict[str, list[float]]]:
    """Return a figure a run by line and maker. Each run is a process of its own: addresses are luck that it keeps."""
    folder = plan.folder / abi
    shutil.copytree(_INPUTS / "library", folder)
    file = folder / "ops.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("opgen: 1\n", f"opgen: 1\nabi: {abi}\n"), encoding="utf-8")
    run(opgen("build"), folder)
    options = [_compiled(folder, abi), *(["--processor"] if plan.processor else [])]
    options += ["--turns", "1", "--calls", "10"] if plan.tiny else []
    figures: dict[str, dict[str, list[float]]] = {}
    for _ in range(plan.runs):
        for line, makers in _timed(folder, options).items():
            for maker, microseconds in makers.items():
                figures.setdefault(line, {}).setdefault(maker, []).append(microseconds)
    return figures


def _timed(folder: Path, options: list[str]) -> dict[str, dict[str, float]]:
    paths = [str(folder / "generated"), str(_HERE.parent), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(  # noqa: S603 - this Python, with arguments of this package
        [sys.executable, "-m", "benchmarks.calls.timing", *options],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    figures: dict[str, dict[str, float]] = json.loads(done.stdout)
    return figures


def _compiled(folder: Path, abi: str) -> str:
    """Compile what is written by hand, as optimised as what is generated, and return its path."""
    tools = find_toolchain(None, (2, 10))
    if not isinstance(tools, Toolchain):
        raise RuntimeError("this row needs a C++ compiler, ninja and torch")  # noqa: TRY004 - it is none of a type
    torch = tools.torch.folder
    flags = shlex.split("-O3 -fno-math-errno -fno-trapping-math -fPIC -fvisibility=hidden -shared")
    flags += ["-DTORCH_TARGET_VERSION=0x020a000000000000"] if abi == "stable" else []
    binary = folder / "by_hand.so"
    command = [*tools.compiler, _STANDARDS[abi], *flags, _INPUTS / "by_hand" / f"{abi}.cpp", "-o", binary]
    command += ["-isystem", torch / "include", "-L", torch / "lib", "-ltorch_cpu", "-lc10"]
    subprocess.run(list(map(str, command)), check=True)  # noqa: S603 - the compiler that was found
    return str(binary)


ROW = Row("calls", measure, is_long=True, table="calls")
