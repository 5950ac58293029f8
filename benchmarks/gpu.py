"""What GPU kernels do on a GPU: the generated tests on ``cuda``, and bandwidth beside a device copy, ATen and torch.compile.

Run from the project's folder, within ten minutes: ``python -m benchmarks.gpu``. Without a GPU it builds nothing and says so.
It needs nvcc, Triton, and a PyTorch with CUDA. ``--json FILE`` tests nothing, and writes the figures there instead; the row
``gpu`` of ``python -m benchmarks`` does so.

Each op is called on tensors of a gibibyte in all; its bandwidth is the bytes that it has to read and write, once each, over the
median time of its calls, by CUDA events. A copy is ``Tensor.copy_`` of as many bytes.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

ROOT = Path(__file__).parents[1]
BYTES = 2**30
WIDTH = 4096
REPEATS = 30
WARM_UP = 5

OPS = """\
opgen: 1
namespace: gpu_{kind}
package: gpu_{kind}_ops
defaults: {{autograd: none}}
ops:
  - func: silu_and_mul(Tensor x) -> Tensor
    tensors: {{x: "float [*batch, 2*d]", return: "x.dtype [*batch, d]"}}
    pointwise: silu(x[..., :d]) * x[..., d:]
    dispatch: {{CUDA: {kind}}}
  - func: add_scaled(Tensor x, Tensor y, float by) -> Tensor
    tensors: {{x: "float [*batch, n]", y: "x.dtype [*batch, n]", return: "x.dtype [*batch, n]"}}
    pointwise: x + by * y
    dispatch: {{CUDA: {kind}}}
  - func: gelu(Tensor x) -> Tensor
    tensors: {{x: "float [*batch, n]", return: "x.dtype [*batch, n]"}}
    pointwise: gelu(x)
    dispatch: {{CUDA: {kind}}}
  - func: softmax(Tensor x) -> Tensor
    tensors: {{x: "float [*batch, n]", return: "x.dtype [*batch, n]"}}
    checks: ["n > 0"]
    reduce: {{m: "max(x, n)", s: "sum(exp(x - m), n)"}}
    pointwise: exp(x - m) / s
    dispatch: {{CUDA: {kind}}}
  - func: rms_norm(Tensor x, Tensor weight, float eps) -> Tensor
    tensors: {{x: "float [*batch, n]", weight: "x.dtype [n]", return: "x.dtype [*batch, n]"}}
    checks: ["n > 0", "eps > 0"]
    reduce: {{squares: "mean(x * x, n)"}}
    pointwise: x * rsqrt(squares + eps) * weight
    dispatch: {{CUDA: {kind}}}
"""


@dataclass(frozen=True)
class Row:
    """One op: what ATen calls it, how many bytes of a call are read for each that is written, and its other arguments."""

    name: str
    reads: int
    arguments: Callable[[Any], tuple[Any, ...]]
    aten: Callable[..., Any]


@dataclass(frozen=True)
class Figures:
    """What an op took, in seconds by who computed it: ``copy``, ``cuda``, ``triton``, ``ATen`` and ``compile``."""

    name: str
    dtype: str
    moved: float
    seconds: dict[str, float]


def why_not() -> str:
    """Return why nothing can be measured here, or nothing."""
    try:
        import torch  # noqa: PLC0415 - opgen itself never imports it
    except ImportError:
        return "no torch is installed"
    return "" if torch.cuda.is_available() else f"this machine has no GPU that torch {torch.__version__} can use"


@click.command
@click.option("--json", "file", type=click.Path(path_type=Path), help="Test nothing, and write the figures there.")
def main(file: Path | None) -> None:
    """Build, test, measure; the exit status is 1 if a step fails."""
    if reason := why_not():
        click.echo(f"{reason}: nothing was built or measured")
        return
    import torch  # noqa: PLC0415 - as above

    click.echo(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}")
    failed = 0 if file else build(ROOT, "showcase", tests=True)
    with TemporaryDirectory() as name:
        folders = {kind: Path(name, kind) for kind in ("cuda", "triton")}
        for kind, folder in folders.items():
            folder.mkdir()
            (folder / "ops.yaml").write_text(OPS.format(kind=kind), encoding="utf-8")
            failed += build(folder, kind, tests=file is None)
            sys.path.append(str(folder / "generated"))
        figures = show(measure(torch))
    if file:
        file.write_text(json.dumps([asdict(each) for each in figures]), encoding="utf-8")
    sys.exit(min(failed, 1))


def build(folder: Path, what: str, *, tests: bool) -> int:
    """Build a library, run its tests of references, layouts and bounds on the GPU; return how many steps failed."""
    # One architecture, that of this machine: the others are compiled by tests.
    import torch  # noqa: PLC0415 - as above

    major, minor = torch.cuda.get_device_capability()
    settings = {"TORCH_CUDA_ARCH_LIST": f"{major}.{minor}", "PYTHONPATH": str(ROOT / "codegen")}
    verbs = (
        ["build", "--require", "cuda", "--require", "triton"],
        ["test", "--no-build", "-q", "-k", "registered or reference or layouts or bounds or repetition or versions"],
    )
    failed = 0
    for verb in verbs if tests else verbs[:1]:
        click.echo(f"--- {what}: opgen {verb[0]}")
        run = subprocess.run(  # noqa: S603 - opgen itself, in a project of ours
            [sys.executable, "-m", "opgen", *verb], cwd=folder, env={**os.environ, **settings}, check=False
        )
        failed += run.returncode != 0
    return failed


def measure(torch: Any) -> Iterator[Figures]:
    """Yield what each op takes."""
    for package in ("gpu_cuda_ops", "gpu_triton_ops"):  # built above
        import_module(package)
    for dtype in (torch.float32, torch.bfloat16):
        copy, copied = _copy(torch, dtype)
        rate = copied / seconds(torch, copy)
        for row in rows(torch):
            inputs = row.arguments(dtype)
            written = inputs[0].numel() * inputs[0].element_size() / row.reads
            moved = sum(x.numel() * x.element_size() for x in inputs if isinstance(x, torch.Tensor)) + written
            candidates = {
                "cuda": getattr(torch.ops.gpu_cuda, row.name),
                "triton": getattr(torch.ops.gpu_triton, row.name),
                "ATen": row.aten,
                "compile": torch.compile(row.aten),
            }
            took = {name: seconds(torch, partial(f, *inputs)) for name, f in candidates.items()}
            yield Figures(row.name, str(dtype).removeprefix("torch."), moved, {"copy": moved / rate, **took})


def show(figures: Iterator[Figures]) -> list[Figures]:
    """Print bandwidths as parts of a device copy's."""
    click.echo(
        f"\n{'op':14}{'dtype':10}{'copy GB/s':>10}{'cuda':>8}{'triton':>8}{'ATen':>8}{'compile':>9}   (parts of the copy)"
    )
    shown = []
    for one in figures:
        copy, *others = one.seconds.values()
        parts = "".join(f"{copy / took:{width}.2f}" for took, width in zip(others, (8, 8, 8, 9), strict=True))
        click.echo(f"{one.name:14}{one.dtype:10}{one.moved / copy / 1e9:10.0f}{parts}")
        shown.append(one)
    return shown


def rows(torch: Any) -> Iterator[Row]:
    """Yield the ops; tensors that are read and written make up a gibibyte together."""
    functional = torch.nn.functional

    def tensor(dtype: Any, parts: int, width: int = WIDTH) -> Any:
        elements = BYTES // (parts * dtype.itemsize)
        return torch.randn(elements // width, width, device="cuda", dtype=dtype)

    def gate(x: Any) -> Any:
        a, b = x.chunk(2, -1)
        return functional.silu(a) * b

    def normalise(x: Any, weight: Any, eps: float) -> Any:
        return functional.rms_norm(x, x.shape[-1:], weight, eps)

    # Of three parts of the gibibyte two are read as one tensor of twice the width.
    yield Row("silu_and_mul", 2, lambda dtype: (tensor(dtype, 3).repeat(1, 2),), gate)
    yield Row("add_scaled", 1, lambda dtype: (tensor(dtype, 3), tensor(dtype, 3), 0.5), lambda x, y, by: x + by * y)
    yield Row("gelu", 1, lambda dtype: (tensor(dtype, 2),), functional.gelu)
    yield Row("softmax", 1, lambda dtype: (tensor(dtype, 2),), lambda x: functional.softmax(x, -1))
    yield Row(
        "rms_norm", 1, lambda dtype: (tensor(dtype, 2), torch.randn(WIDTH, device="cuda", dtype=dtype), 1e-6), normalise
    )


def _copy(torch: Any, dtype: Any) -> tuple[Callable[[], Any], float]:
    source = torch.randn(BYTES // (2 * dtype.itemsize), device="cuda", dtype=dtype)
    target = torch.empty_like(source)
    return lambda: target.copy_(source), 2 * source.numel() * source.element_size()


def seconds(torch: Any, call: Callable[[], Any]) -> float:
    """Return the median of some calls."""
    for _ in range(WARM_UP):
        call()
    times: list[float] = []
    for _ in range(REPEATS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / 1e3)
    return statistics.median(times)


if __name__ == "__main__":
    main()
