"""A library of as many ops as wanted, each with a kernel of its own, and what building it does.

What counts are commands, files and results, not seconds: so units are compiled without optimisation, which is quicker.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

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
for name in big_ops.__all__:
    number = int(name.partition("_")[2])
    print(all(torch.equal(getattr(big_ops, name)(x, factor), x * factor + number) for factor in (1.0, 0.3)))
"""


def write_library(root: Path, ops: int) -> None:
    """Write declarations and kernels; ``op_0007`` adds 7 to what it multiplies."""
    (root / "kernels/cpu").mkdir(parents=True)
    declarations = [_HEAD]
    for number in range(ops):
        name = f"op_{number:04}"
        declarations.append(_OP.format(name=name, number=number))
        kernel = _KERNEL.format(name=name, number=number)
        (root / f"kernels/cpu/{name}.cpp").write_text(kernel, encoding="utf-8")
    (root / "ops.yaml").write_text("".join(declarations), encoding="utf-8")


def build(root: Path, *options: str, environment: Mapping[str, str] | None = None) -> list[str]:
    """Build the library; return the files that ninja's commands were about."""
    variables = {"CXXFLAGS": "-O0", **(environment or {})}
    output = run(root, "-m", "opgen", "build", "--jobs", "2", *options, environment=variables)
    return re.findall(r"^\[\d+/\d+\] (.+)$", output, re.MULTILINE)


def right_ops(root: Path) -> int:
    """Call every op, and count those that compute what they have to, to the last bit."""
    return run(root, "-c", _CALLS).splitlines().count("True")


def run(root: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """Run Python in the library's folder; return all that it printed, and say how long it took.

    Raises:
        RuntimeError: it failed.
    """
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
