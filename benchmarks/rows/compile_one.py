"""What a compiler takes for the registration of one op: the generated unit, beside the same by hand with all of PyTorch's headers."""

from __future__ import annotations

import json
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from benchmarks.comparison import Comparison, Plan, Row, in_turns
from benchmarks.process import run
from opgen.build.generate import generate
from opgen.build.plan import plan_build
from opgen.build.toolchain import Toolchain, find_toolchain
from opgen.emit.write import write

_CALLS = Path(__file__).resolve().parents[1] / "calls"
_UNIT = "generated/csrc/units/cpu/accumulate.cpp"
_BY_HAND = """\
#include <torch/extension.h>

namespace {

void accumulate(at::Tensor& x, const at::Tensor& y) {
  TORCH_CHECK(x.scalar_type() == at::kFloat && y.scalar_type() == at::kFloat, "tensors must be float32");
  TORCH_CHECK(y.sizes() == x.sizes(), "one shape is needed");
  TORCH_CHECK(x.is_contiguous() && y.is_contiguous(), "tensors must be contiguous");
  const float* b = y.const_data_ptr<float>();
  float* sum = x.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) sum[i] += b[i];
}

TORCH_LIBRARY(by_hand, m) {
  m.def("accumulate(Tensor(a!) x, Tensor y) -> ()");
}

TORCH_LIBRARY_IMPL(by_hand, CPU, m) {
  m.impl("accumulate", &accumulate);
}

}  // namespace
"""
"""As tutorials have it; opgen's unit has more to do: overlap, versions, leaves, gradients."""
_MOST_RUNS = 3  # of a compiler that takes half a minute


def measure(plan: Plan) -> Iterator[Comparison]:
    """Compile both with one compiler and the same optimisation, each to an object file."""
    shutil.copytree(_CALLS / "library", plan.folder / "library")
    ours = _command(plan.folder / "library")
    compiler, *flags = (word for word in ours[: ours.index("-c")] if not word.startswith(("-std=", "-DTORCH_TARGET")))
    # The standard that PyTorch's own headers are written in, as `torch.utils.cpp_extension` has it.
    flags += ["-std=c++20", "-isystem", sysconfig.get_paths()["include"], *_api_headers(flags)]
    source = plan.folder / "by_hand.cpp"
    source.write_text("" if plan.tiny else _BY_HAND, encoding="utf-8")

    def generated() -> float:
        return plan.seconds(run(ours[1:], plan.folder / "library", program=compiler))

    def by_hand() -> float:
        words = [*flags, "-c", str(source), "-o", "by_hand.o"]
        return plan.seconds(run(words, plan.folder / "library", program=compiler))

    runs = in_turns(generated, by_hand, min(plan.runs, _MOST_RUNS))
    yield Comparison(
        "compile the registration of one op",
        "generated, stable ABI",
        "by hand, torch/extension.h",
        "s",
        *runs,
        wanted=0.1,
    )


def _api_headers(flags: list[str]) -> list[str]:
    """Return the folder of the headers of torch's C++ API, which is within that of the others."""
    return ["-isystem", f"{flags[flags.index('-isystem') + 1]}/torch/csrc/api/include"]


def _command(folder: Path) -> list[str]:
    """Generate the library, and return the command that compiles the unit."""
    generated = generate(folder / "ops.yaml")
    tools = find_toolchain(None, (2, 10))
    if generated.library is None or generated.files is None or not isinstance(tools, Toolchain):
        raise RuntimeError("this row needs a C++ compiler, ninja and torch")
    write(folder, generated.files.compare(folder).pending)
    commands = json.loads(plan_build(generated.library, generated.files, tools, folder).compile_commands)
    (command,) = (each["arguments"] for each in commands if each["file"] == _UNIT)
    (folder / command[-1]).parent.mkdir(parents=True)
    return list(map(str, command))


ROW = Row("compile-one", measure, is_long=True)
