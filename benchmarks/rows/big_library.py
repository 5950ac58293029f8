"""A large library, compiled; one op changed; all of it once more on a build farm.

What counts are commands, files and results, not seconds: so units are compiled without optimisation, which is quicker.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.comparison import Comparison, Line, Missing, Plan, Row
from benchmarks.farm import PROGRAMS, farm

_OPS, _WHOLE = 40, 1_000
_JOBS = ("--jobs", "2")

_HEAD = "opgen: 1\nnamespace: big\ndefaults: {autograd: none}\nops:\n"
_OP = """\
  - func: {name}(Tensor x, float factor=1.0) -> Tensor
    tensors: {{x: "float32 [n] contiguous", return: "float32 [n]"}}
    reference: x * factor + {number}
"""
_KERNEL = """\
#include <big_ops/{name}.h>

namespace big::cpu {{

void {name}(const Tensor& x, double factor, Tensor& out) {{
  const float* values = x.const_data_ptr<float>();
  float* results = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) results[i] = values[i] * static_cast<float>(factor) + {number};
}}

}}  // namespace big::cpu
"""
_CALLS = """\
import sys
sys.path.insert(0, "generated")
import big_ops, torch
x = torch.arange(-50.0, 50.0)
for name in sorted(big_ops.__all__):
    op = getattr(big_ops, name)
    print(name, op(x).tolist(), op(x, 0.3).tolist())
"""


def measure(plan: Plan) -> Iterator[Line]:
    """Build, change a kernel and build, change a declaration and build, build elsewhere; list and count what ran."""
    ops = _WHOLE if plan.whole else _OPS
    root = plan.folder / "library"
    _write_library(root, ops)
    ran = _build(root)
    results = _results(root)
    yield from _changes(root, f"{ops:,} ops", len(ran))
    if absent := [program for program in PROGRAMS if not shutil.which(program)]:
        yield Missing(f"{ops:,} ops on a farm", f"not installed: {', '.join(absent)}")
    else:
        yield from _elsewhere(plan.folder, root, ops, results)


def _changes(root: Path, ops: str, first: int) -> Iterator[Comparison]:
    kernel, declaration = root / "kernels/cpu/op_0000.cpp", root / "ops.yaml"
    text = declaration.read_text(encoding="utf-8")
    nothing = _build(root)
    kernel.write_text(kernel.read_text(encoding="utf-8") + "// changed\n", encoding="utf-8")
    of_kernel = _build(root)
    declaration.write_text(text.replace("factor=1.0", "factor=2.0", 1), encoding="utf-8")
    of_schema = _build(root)
    declaration.write_text(text, encoding="utf-8")
    # Unit and link; unit, hash of all schemas and link.
    for what, again, needed in (("nothing", nothing, 0), ("one kernel", of_kernel, 2), ("one schema", of_schema, 3)):
        ran = ", ".join(sorted(f"`{Path(step).name}`" for step in again)) or "nothing"
        yield Comparison(
            f"{ops}, {what} changed", ran, "the first build", "commands", (len(again),), (first,), needed / first
        )


def _elsewhere(folder: Path, root: Path, ops: int, results: list[str]) -> Iterator[Comparison]:
    what = f"{ops:,} ops by ccache and distcc"
    files = ops + 1  # and that of the library
    folder.chmod(0o755)
    with farm(folder) as elsewhere:
        shutil.rmtree(root / "build")
        _build(root, "--launcher", "ccache", environment=elsewhere.environment)
        served = elsewhere.served()
        elsewhere.cached()
        if not all(served):
            raise RuntimeError(f"the daemons compiled {served} files")
        peers = " and ".join(f"{count:,}" for count in served)
        yield Comparison(
            what, "compiled here", f"by two daemons, {peers}", "files", (files - sum(served),), (files,), 0
        )
        different = sum(ours != theirs for ours, theirs in zip(results, _results(root), strict=True))
        yield Comparison(f"{what}: results", "other than before", "called", "ops", (different,), (ops,), 0)
        shutil.rmtree(root / "build")
        _build(root, "--launcher", "ccache", environment=elsewhere.environment)
        hits, calls = elsewhere.cached()
        yield Comparison(f"{what}, again", "not in the cache", "asked for", "files", (calls - hits,), (calls,), 0)


def _write_library(root: Path, ops: int) -> None:
    """Write declarations and kernels."""
    (root / "kernels/cpu").mkdir(parents=True)
    declarations = [_HEAD]
    for number in range(ops):
        name = f"op_{number:04}"
        declarations.append(_OP.format(name=name, number=number))
        kernel = _KERNEL.format(name=name, number=number)
        (root / f"kernels/cpu/{name}.cpp").write_text(kernel, encoding="utf-8")
    (root / "ops.yaml").write_text("".join(declarations), encoding="utf-8")


def _build(root: Path, *options: str, environment: Mapping[str, str] | None = None) -> list[str]:
    """Build the library; return the files that ninja's commands were about."""
    variables = {"CXXFLAGS": "-O0", **(environment or {})}
    output = _run(root, "-m", "opgen", "build", *_JOBS, *options, environment=variables)
    return re.findall(r"^\[\d+/\d+\] (.+)$", output, re.MULTILINE)


def _results(root: Path) -> list[str]:
    """Return a line for each op, with what it computes."""
    return _run(root, "-c", _CALLS).splitlines()


def _run(root: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """Run Python in the library's folder; return all that it printed, and say how long it took."""
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - this interpreter
        [sys.executable, *arguments],
        cwd=root,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{arguments} failed: {done.stdout}")
    sys.stderr.write(f"\n{time.perf_counter() - start:8.1f} s  {' '.join(arguments).partition(chr(10))[0]}")
    sys.stderr.flush()
    return done.stdout


ROW = Row("big-library", measure, is_long=True, table="big-library")
