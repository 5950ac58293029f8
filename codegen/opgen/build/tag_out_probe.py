"""A script that ``opgen doctor --tag-out`` runs in an interpreter: does its torch compile ops with ``Tag.out``?

It prints one JSON object: attempt -> "ok", or the first line of the error. Some releases replace a functional op by its
tagged out= form and then fail: with default arguments, with dynamic sizes, or when compiling ahead of time.
"""

# mypy: disable-error-code="no-untyped-call"
# torch.library has few annotations.

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import torch
from torch._inductor import aoti_compile_and_package, aoti_load_package

INPUTS = "Tensor x, Tensor y, float scale=2.0"


def define() -> torch.library.Library:
    """Define a functional op and its tagged out= form with kernels in Python."""
    library = torch.library.Library("opgen_probe", "FRAGMENT")
    library.define(f"pair({INPUTS}) -> Tensor")
    library.define(f"pair.out({INPUTS}, *, Tensor(a!) out) -> Tensor(a!)", tags=[torch.Tag.out])

    def functional(x: Any, y: Any, scale: float = 2.0) -> Any:
        return x * scale + y

    def out_form(x: Any, y: Any, scale: float = 2.0, *, out: Any) -> Any:
        return out.copy_(x * scale + y)

    library.impl("pair", functional, "CPU")
    library.impl("pair.out", out_form, "CPU")
    torch.library.register_fake("opgen_probe::pair", lambda x, _y, _scale=2.0: torch.empty_like(x), lib=library)
    return library


class Model(torch.nn.Module):
    """A call of the functional op between two others."""

    def forward(self, x: Any, y: Any) -> Any:
        """Return the result of the op, for which the compiler may call the out= form."""
        return torch.ops.opgen_probe.pair(x.sin(), y) + 1


def compile_once(*, dynamic: bool) -> None:
    """Compile, call with two sizes and compare."""
    torch.compiler.reset()
    compiled = torch.compile(Model(), dynamic=dynamic, fullgraph=True)
    for rows in (4, 6):
        x, y = torch.ones(rows, 3), torch.ones(rows, 3)
        torch.testing.assert_close(compiled(x, y), Model()(x, y))


def compile_ahead() -> None:
    """Compile ahead of time into a package, load it and compare."""
    x, y = torch.ones(4, 3), torch.ones(4, 3)
    exported = torch.export.export(Model(), (x, y))
    with tempfile.TemporaryDirectory() as folder:
        path = aoti_compile_and_package(exported, package_path=str(Path(folder) / "pair.pt2"))
        torch.testing.assert_close(aoti_load_package(path)(x, y), Model()(x, y))


def outcome(attempt: Callable[[], None]) -> str:
    """Return "ok", or the first line of the error."""
    try:
        attempt()
    except Exception as error:  # noqa: BLE001 - any exception of torch is a result
        return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"
    return "ok"


def tell(results: dict[str, str]) -> None:
    """Print the results as the last line."""
    sys.stdout.write(json.dumps(results) + "\n")


def main() -> None:
    """Run all attempts and print their results."""
    if not hasattr(torch.Tag, "out"):
        tell({"torch.Tag.out": f"torch {torch.__version__} has none, it is left out"})
        return
    library = define()
    results = {
        "torch.compile, static": outcome(lambda: compile_once(dynamic=False)),
        "torch.compile, dynamic": outcome(lambda: compile_once(dynamic=True)),
        "AOTInductor": outcome(compile_ahead),
    }
    del library
    tell(results)


if __name__ == "__main__":
    main()
