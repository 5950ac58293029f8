"""A library with every construct that CPU kernels on the stable ABI can have, built and used as its author and users would."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

pytestmark = [
    pytest.mark.compile,
    pytest.mark.usefixtures("unoptimised"),
    pytest.mark.torch,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]

CASE = Path(__file__).parents[1] / "cases" / "wide"
PACKAGE = "acme.wide.kernels"
USER = """\
import os, sys, tempfile
sys.modules["opgen"] = None  # importing it raises
import torch
import acme.wide.kernels as wide

x = torch.randn(4, 6)
"""


def call(*command, cwd, **environment):
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def opgen(*arguments, cwd):
    return call(sys.executable, "-m", "opgen", *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The library, generated; its kernels are those of the case."""
    folder = tmp_path_factory.mktemp("wide") / "library"
    shutil.copytree(CASE, folder)
    result = opgen("generate", cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


@pytest.fixture(scope="module")
def table(project):
    """What ``opgen build`` says of each op: its verdict by its name."""
    result = opgen("build", cwd=project)
    assert result.returncode == 0, result.stdout + result.stderr
    return dict(re.findall(r"^wide::(\S+) +(?:\S+) +(.*)$", result.stdout, re.MULTILINE))


def use(project, code, **environment):
    """Run a user's program, which has the generated package and no opgen."""
    environment = {"PYTHONPATH": str(project / "generated"), "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", **environment}
    result = call(sys.executable, "-c", USER + code, cwd=project / "build", **environment)
    assert result.returncode == 0, result.stderr
    return result.stdout


def run_tool(name, *arguments, cwd):
    tool = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if tool is None:
        pytest.skip(f"{name} is not installed")
    result = call(tool, *arguments, cwd=cwd)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_second_run_changes_nothing(project):
    assert re.match(r"0 of \d+ files changed", opgen("generate", cwd=project).stderr)


def test_the_formatter_would_change_nothing(project):
    run_tool("ruff", "format", "--check", "generated", cwd=project)


def test_a_strict_type_checker_finds_nothing(project, type_check):
    assert type_check("-p", PACKAGE, folder=project / "generated") == []
    assert type_check(".", folder=project / "generated/tests", MYPYPATH=".") == []


def test_every_op_is_built_and_tested(table):
    declared = re.findall(r"- func: ([\w.]+)\(", "".join(path.read_text("utf-8") for path in CASE.glob("*.yaml")))
    without_reference = dict.fromkeys(("every_default", "every_type", "report"), "compiled, called")
    expected = dict.fromkeys(declared, "compiled, tested") | without_reference
    assert {name: verdict.strip() for name, verdict in table.items()} == expected


@pytest.mark.usefixtures("table")
def test_the_generated_tests_pass(project):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "generated/tests"]
    result = call(*command, cwd=project)
    assert result.returncode == 0, result.stdout
    assert re.search(r"^\d+ passed in", result.stdout, re.MULTILINE), result.stdout


@pytest.mark.usefixtures("table")
def test_users_call_it_eagerly_and_compiled_without_opgen(project):
    code = """
def model(x, images):
    y = wide.scale_(x * 2, 0.5) + wide.scale_out(x, out=torch.empty_like(x))
    return wide.pad(images), wide.quantize(y), wide.window(y.shape[1], device=y.device) + y

compiled = torch.compile(model, fullgraph=True)
for rows in (4, 5, 7):
    arguments = torch.randn(rows, 6), torch.randn(2, 3, rows, 5).to(memory_format=torch.channels_last)
    torch.testing.assert_close(compiled(*arguments), model(*arguments))
print("same")
"""
    assert use(project, code) == "same\n"


@pytest.mark.usefixtures("table")
def test_effects_happen_as_often_and_in_the_order_of_eager_mode(project, tmp_path):
    code = """
def model(x):
    for label in "aba":
        wide.report(x, label)
    return x + 1

torch.compile(model, fullgraph=True, backend="aot_eager")(x)
"""
    use(project, code, WIDE_REPORT=str(tmp_path / "report"))
    assert (tmp_path / "report").read_text(encoding="utf-8") == "a\nb\na\n"


WRONG = {
    "wide.bags(x, torch.tensor([0]), torch.tensor([0, 1]), 'max')": (
        "wide::bags: argument 'mode': expected mode in ('sum', 'mean'), got mode = "
    ),
    "wide.operator(x, x, long=0)": (
        "wide::operator: argument 'long': say \"long\", it's \\ {{ better }} */ (expected long > 0, got long = 0)"
    ),
    "wide.matmul(x, x.new_empty(6, 2))": "wide::matmul: argument 'b': expected stride 1 at dim 0",
    "wide.copy_blocks([x], [x, x], torch.zeros(1, 2, dtype=torch.int64))": (
        "wide::copy_blocks: expected len(key_caches) == len(value_caches), got len(key_caches) = 1, len(value_caches) = 2"
    ),
    "wide.window(1)": "wide::window: argument 'n': a ramp has two ends (expected n > 1, got n = 1)",
    "wide.scale_(x.requires_grad_())": "a leaf Variable that requires grad is being used in an in-place operation.",
    "wide.scale_out(x.detach(), out=x.detach().t())": "wide::scale.out: argument 'out': expected sizes",
    "wide.rotate(torch.tensor([0]), x.detach()[:1], None, 4, torch.ones(3, 4))": (
        "wide::rotate: argument 'query': expected a size heads * head_size"
    ),
    "wide.smooth(x[0], bias=x[0])": "wide::smooth",
    "wide.halves(None)": "wide::halves",
    "wide.pad(torch.ones(2, 3, 4, 5))": "wide::pad: argument 'x': expected a channels_last tensor",
    "wide.fill(torch.tensor(1), [1] * 5)": "wide::fill: argument 'sizes': expected len(sizes) < 5, got len(sizes) = 5",
}


@pytest.mark.usefixtures("table")
def test_wrong_calls_are_answered_with_sentences(project):
    attempts = "".join(f"try:\n    {call}\nexcept Exception as error:\n    said.append(str(error))\n" for call in WRONG)
    said = json.loads(use(project, f"import json\nsaid = []\n{attempts}print(json.dumps(said))\n"))
    assert len(said) == len(WRONG)
    for sentence, wrong in zip(said, WRONG, strict=True):
        assert WRONG[wrong] in sentence, wrong
