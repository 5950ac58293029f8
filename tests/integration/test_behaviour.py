"""Each way in which operators misbehave is found by a generated test, or can't happen.

``tests/cases/behaviour/entries.yaml`` is the table. Its library is run twice, with kernels that keep their promises and
with kernels that break them: each fault fails one generated test, in words that name the promise, and the same test
passes without it. Kernels are in Python, since the generated tests see no difference; ``test_faults.py`` has faults in C++.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.torch]

ROOT = Path(__file__).parents[2]
CASE = ROOT / "tests" / "cases" / "behaviour"
ENTRIES = yaml.safe_load((CASE / "entries.yaml").read_text(encoding="utf-8"))
FAULTS = {key: entry for key, entry in ENTRIES.items() if "fault" in entry}
SHOWN = {key: entry for key, entry in ENTRIES.items() if "shown" in entry}
CASES = os.environ.get("OPGEN_CASES", "")

# Runs named tests or, where `all` is true, further ones that compile nothing; the package lacks what `lacks` names.
RUN = """\
import json, re, sys, pytest, torch

wanted, all_others, lacks = json.loads(sys.argv[1])
outcomes = {}
SLOW = re.compile("compile|export|opcheck|dynamic|gradient_transforms")

class Plugin:
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if name(item.nodeid) in wanted or all_others and not SLOW.search(item.name)]

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.failed:
            outcomes[name(report.nodeid)] = report.longrepr.reprcrash.message if report.failed else report.outcome

def name(id):
    return re.sub(r".*/test_(\\w+)\\.py::\\w+::test_", r"\\1::", id)

impl = torch.library.Library.impl
torch.library.Library.impl = lambda self, op, kernel, key="", **more: (op, key) in map(tuple, lacks) or impl(
    self, op, kernel, key, **more
)
pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", "generated/tests"], [Plugin()])
print("\\n" + json.dumps(outcomes))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The folder of the library, built."""
    folder = tmp_path_factory.mktemp("behaviour") / "library"
    shutil.copytree(CASE, folder)
    command = [sys.executable, "-m", "opgen", "build"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def outcomes(library):
    """What becomes of each test, ``op::name``, without faults and with them: ``passed``, or the message."""
    found_by = {f"{entry['op']}::{entry['found_by']}" for entry in FAULTS.values()}
    shown = {f"{entry['op']}::{test}" for entry in SHOWN.values() for test in entry["shown"]}
    plans = [[sorted(found_by | shown), True, []], [sorted(found_by), False, [["pool_dense", "Autograd"]]]]
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", RUN, json.dumps(plan)],
            cwd=library,
            env=os.environ | {"BROKEN": str(place)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        for place, plan in enumerate(plans)
    ]
    outputs = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    return [json.loads(output.splitlines()[-1]) for output in outputs]


def test_sound_kernels_pass_every_test(outcomes):
    sound, _ = outcomes
    assert {test: outcome for test, outcome in sound.items() if outcome not in ("passed", "skipped")} == {}


@pytest.mark.parametrize("key", FAULTS)
def test_a_fault_fails_a_generated_test_that_names_the_promise(outcomes, key):
    entry = FAULTS[key]
    test = f"{entry['op']}::{entry['found_by']}"
    sound, broken = outcomes
    assert sound[test] == "passed"
    for words in entry["says"]:
        assert words in broken[test]


@pytest.mark.parametrize("key", SHOWN)
def test_what_a_kernel_can_not_break_holds(outcomes, key):
    entry = SHOWN[key]
    sound, _ = outcomes
    assert {sound[f"{entry['op']}::{test}"] for test in entry["shown"]} == {"passed"}


CALLS = """
import sys
sys.path[:0] = ["generated", "."]
import torch, deeds_ops as deeds
from torch._library.simple_registry import singleton
x, out = torch.ones(3, requires_grad=True), torch.empty(3)

def compiled(function):
    return torch.compile(function, backend="aot_eager", fullgraph=True)

"""


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("deeds.ramp(True, device='cuda')", "deeds::ramp: argument 'device': there is no kernel for cuda"),
        (
            "compiled(lambda: torch.ops.deeds.twice.out(x, out=out))()",
            "arguments don't support automatic differentiation",
        ),
        ("assert compiled(deeds.mix)(x, x).requires_grad and not singleton.find('deeds::mix').fake_impl.kernel", ""),
    ],
    ids=["a device without a kernel", "a compiled call that loses a gradient", "a composite kernel has no fake one"],
)
def test_calls_are_answered(library, call, words):
    done = subprocess.run(
        [sys.executable, "-c", CALLS + call], cwd=library, capture_output=True, text=True, check=False
    )
    assert words in done.stderr
    assert words or done.returncode == 0


@pytest.mark.parametrize("key", [key for key, entry in ENTRIES.items() if "elsewhere" in entry])
def test_a_test_that_is_named_exists(key):
    path, _, name = ENTRIES[key]["elsewhere"].partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.skipif(not CASES, reason="OPGEN_CASES names no folder of cases")
def test_every_entry_of_the_catalogue_is_accounted_for():
    lines = Path(CASES, "behaviour_cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} <= ENTRIES.keys()
