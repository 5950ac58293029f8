"""examples/migration: its README is followed word for word, and the same callers run at every step."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "migration"
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")
BLOCKS = "".join(re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))
COMMANDS = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", BLOCKS, re.MULTILINE)

pytestmark = [
    pytest.mark.compile,
    pytest.mark.torch,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]


@pytest.fixture
def folder(tmp_path):
    """A copy of the example."""
    return shutil.copytree(EXAMPLE, tmp_path / "signals")


def run(words, folder):
    program, *arguments = words
    command = {
        "python": [sys.executable, *arguments],
        "opgen": [sys.executable, "-m", "opgen", *arguments],
    }.get(program, words)
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": f".{os.pathsep}generated"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


def test_the_readme_is_true(folder):
    assert sum(command == "python callers.py" for command, _ in COMMANDS) == 4
    for command, expected in COMMANDS:
        done = run(shlex.split(command), folder)

        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        printed = done.stdout + "".join(line for line in done.stderr.splitlines() if line == "nothing found")
        if command.startswith("opgen test"):
            assert expected.strip() in printed, command
        else:
            assert printed.strip() == expected.strip(), command


def test_a_binding_that_differs_from_its_declaration_stops_the_import_and_shows_both(folder):
    shutil.copytree(folder / "1-declared", folder, dirs_exist_ok=True)
    bindings = folder / "csrc" / "bindings.cpp"
    text = bindings.read_text(encoding="utf-8")
    text = text.replace("SymInt bins, float low", "int bins, float low").replace("Tensor! sum", "Tensor sum")
    bindings.write_text(text.replace('  m.def("rms(Tensor x) -> Tensor");\n', ""), encoding="utf-8")
    assert run(["python", "build.py"], folder).returncode == 0
    assert run(["opgen", "generate"], folder).returncode == 0

    done = run(["python", "callers.py"], folder)

    assert "ImportError: wave_ops: operators do not fit their declaration" in done.stderr
    found = done.stderr.partition("fit their declaration\n")[2].splitlines()
    assert found == [
        "csrc/bindings.cpp",
        "  declared:   wave::accumulate(Tensor(a!) sum, Tensor x) -> ()",
        "  registered: wave::accumulate(Tensor sum, Tensor x) -> ()",
        "csrc/bindings.cpp",
        "  declared:   wave::histogram(Tensor x, SymInt bins, float low, float high) -> Tensor",
        "  registered: wave::histogram(Tensor x, int bins, float low, float high) -> Tensor",
        "csrc/bindings.cpp",
        "  declared:   wave::rms(Tensor x) -> Tensor",
        "  it is not registered: is its module imported?",
    ]


def test_declared_operators_compile_with_the_fake_kernels_that_are_derived_or_their_own(folder):
    shutil.copytree(folder / "1-declared", folder, dirs_exist_ok=True)
    assert run(["python", "build.py"], folder).returncode == 0
    assert run(["opgen", "generate"], folder).returncode == 0
    binding = folder / "wavelib" / "_binding.py"
    own = "torch.library.register_fake('wave::peak', lambda x: x.new_empty(x.size(0) + 1))"
    binding.write_text(f"{binding.read_text(encoding='utf-8')}\n{own}\n", encoding="utf-8")
    code = """
import torch, wavelib
compiled = torch.compile(lambda x: torch.ops.wave.gain_(torch.ops.wave.mix(x, -x), 2.0), backend="aot_eager")
print(compiled(torch.ones(2, 3)).abs().max().item())
print(tuple(torch.ops.wave.peak(torch.ones(2, 3, device="meta")).shape))
def overwrite(x):
    y = x.exp()
    torch.ops.wave.gain_(y, 2.0)
    return y.sum()
try:
    torch.compile(overwrite, backend="aot_eager")(torch.ones(3, requires_grad=True)).backward()
except RuntimeError as error:
    print("derivative" in str(error) or "modified by an inplace operation" in str(error))
"""
    done = run(["python", "-c", code], folder)

    assert done.stdout.splitlines() == ["0.0", "(3,)", "True"], done.stdout + done.stderr
