"""Declarations of real kinds of ops: refused for the reason that their page gives, or generated, compiled and called."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from opgen.build.cuda import FLAGS, architecture_flags
from opgen.build.generate import generate
from opgen.build.toolchain import Toolchain, find_toolchain
from opgen.diagnostics import Severity

CASES = os.environ.get("OPGEN_CASES")
pytestmark = pytest.mark.skipif(not CASES, reason="OPGEN_CASES names no folder of real declarations")

CUDA_ON_CLASSIC = ("OPG890", "a cuda kernel for `abi: classic` can't be generated yet")
REFUSED = {
    # its kernel needs a header of the class: of TorchBind classes only Python kernels know
    "lookup": {
        (
            "OPG408",
            "argument 'table' has the type __torch__.torch.classes.kestrel.Table, which no C++ kernel can take",
        )
    },
    "static_scaled_quant": {("OPG514", "there is no file 'csrc/torch_bindings.cpp'")},
}

CLASSIC = ("axpby", "flash_fwd", "top_p_sample")
"""What takes a Scalar or a Generator, which the stable ABI of torch 2.10 can't carry."""

NOT_COMPILABLE = {
    "init_all_reduce": "not compilable: output 'out' has no contract, and `fake: module:function` is not given",
    "supported_schedules": "not compilable: output 'out_' has no contract, and `fake: module:function` is not given",
    "graph_metadata": "not compilable: output 'handle_bytes' has no contract, and `fake: module:function` is not given",
    "route_host": "not compilable, on purpose (`fake: none`)",
}

# What the library has beside its declarations: a type, an op that is registered by hand, two hand-written fakes.
MODULES = {
    "csrc/torch_bindings.cpp": "",
    "kestrel/__init__.py": """\
import torch
from torch._library.opaque_object import register_opaque_type
from torch._opaque_base import OpaqueBase

class PlanHandle(OpaqueBase):
    pass

register_opaque_type(PlanHandle, typ="reference")
elsewhere = torch.library.Library("kestrel", "FRAGMENT")
elsewhere.define("static_scaled_quant(Tensor(a!) result, Tensor x, Tensor scale) -> ()")
""",
    "kestrel/fakes.py": """\
def group_gemm(xs, ws):
    return [x.new_empty(x.shape[0], w.shape[1]) for x, w in zip(xs, ws)]

def run_plan(plan, x):
    return x.new_empty(x.shape)
""",
}

# Every sample of every op, by the machinery of the generated tests; what each call said, as JSON.
CALL_ALL = """\
import importlib, json, sys
from functools import partial
from pathlib import Path

sys.path[:0] = ["generated/tests", "generated", "."]
from _support import OperatorTests
from _support.case import Case

def said(call):
    try:
        call()
    except Exception as error:
        return str(error).splitlines()[0]
    return "nothing"

for path in sorted(Path("generated/tests").glob("test_*.py")):
    importlib.import_module(path.stem)
found = {}
for tests in OperatorTests.__subclasses__():
    operator = tests.operator
    if operator.registered:
        continue
    valid = {case.label: said(partial(operator.call, case.arguments())) for case in tests.cases()}
    wrong = {}
    for label, mention, values, traced, _ in tests.wrong:
        case = Case(operator, label, values, "CPU", "cpu")
        real = said(partial(operator.call, case.arguments()))
        fake = said(partial(case.fake, case.arguments())) if traced and operator.fake else real
        wrong[label] = real, fake, mention
    found[operator.name] = {"valid": valid, "wrong": wrong, "problem": tests.problem}
print(json.dumps(found))
"""


def page():
    """Return the blocks of the page, which are one declaration."""
    return "\n".join(re.findall(r"```yaml\n(.*?)```", Path(CASES, "real_ops.yaml.md").read_text("utf-8"), re.DOTALL))


def name_of(entry):
    return entry["func"].partition("(")[0]


def write_library(folder, backend):
    """Write what can be generated of the page: kernels for one backend, on the ABI that each op needs."""
    library = yaml.safe_load(page())
    library |= {"abi": "stable", "imports": ["kestrel"]}
    kept = [entry for entry in library["ops"] if name_of(entry) != "lookup"]
    library["ops"] = [entry for entry in kept if not (backend == "CUDA" and name_of(entry) in CLASSIC)]
    for entry in (library["defaults"], *library["ops"]):
        for key in ("autograd", "output_differentiability"):
            entry.pop(key, None)
        for key in ("samples", "skip"):  # what is derived serves here: no kernel is there to read elements
            entry.get("tests", {}).pop(key, None)
        if backend == "CPU" and "dispatch" in entry:
            entry["dispatch"] = on_cpu(entry["dispatch"])
    for entry in library["ops"]:
        if name_of(entry) in CLASSIC:
            entry["abi"] = "classic"
    for path, text in ({"ops.yaml": json.dumps(library, indent=1)} | MODULES).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return library["ops"]


def on_cpu(dispatch):
    """Return the kernels with those for CUDA turned into ones for the CPU, unless such a one is there."""
    found = {}
    for key, kernel in dispatch.items():
        spelt = {"kernel": kernel} if isinstance(kernel, str) else kernel
        in_cpp = spelt | {"kernel": "cpp" if spelt["kernel"] == "cuda" else spelt["kernel"]}
        found.setdefault("CPU" if key == "CUDA" else key, in_cpp)
    return found


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


def test_as_written_they_are_refused_for_the_stated_reasons_only(tmp_path):
    (tmp_path / "ops.yaml").write_text(page(), encoding="utf-8")
    errors = {}
    for found in generate(tmp_path / "ops.yaml").diagnostics:
        if found.severity is Severity.ERROR:
            errors.setdefault(found.op.partition("::")[2], set()).add((found.code.id, found.message))
    on_cuda = {name for name, found in errors.items() if CUDA_ON_CLASSIC in found}
    declared = {name_of(entry): entry for entry in yaml.safe_load(page())["ops"]}
    others = {
        name
        for name, entry in declared.items()
        if "registered" in entry or "cuda" not in str(entry.get("dispatch", "cuda"))
    }
    assert on_cuda == declared.keys() - others
    assert {name: found - {CUDA_ON_CLASSIC} for name, found in errors.items() if found != {CUDA_ON_CLASSIC}} == REFUSED


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The folder of the library with CPU kernels, generated, and its declarations by name."""
    folder = tmp_path_factory.mktemp("real")
    declared = {name_of(entry): entry for entry in write_library(folder, "CPU")}
    result = call(sys.executable, "-m", "opgen", "generate", cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder, declared


def test_each_has_a_stub_a_page_tests_and_a_skeleton(library):
    folder, declared = library
    stubs = (folder / "generated/kestrel_ops/ops.pyi").read_text(encoding="utf-8")
    skeletons = {path.stem for path in (folder / "kernels").rglob("*.*")}
    for name in declared:
        assert f"\ndef {name}(" in stubs, name
        assert (folder / f"generated/tests/test_{name}.py").exists(), name
        assert (folder / f"generated/docs/{name}.md").exists(), name
    assert skeletons == declared.keys() - {"static_scaled_quant"}


def test_each_has_a_fake_or_says_why_not(library):
    folder, declared = library
    fakes = (folder / "generated/kestrel_ops/_fakes.py").read_text(encoding="utf-8")
    for name in declared:
        docs = (folder / f"generated/docs/{name}.md").read_text(encoding="utf-8")
        assert (f"def fake_{name}(" in fakes) == (name not in NOT_COMPILABLE), name
        assert NOT_COMPILABLE.get(name, "Works under `torch.compile` and `torch.export`") in docs, name


# --- on the CPU -------------------------------------------------------------------------------------------------------
needs_toolchain = pytest.mark.skipif(
    not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
)


@pytest.fixture(scope="module")
def said(library):
    """What every sample of every op of the built library answers."""
    folder, _ = library
    built = call(sys.executable, "-m", "opgen", "build", cwd=folder, CXXFLAGS="-O0 -Werror")
    assert "does not compile" not in built.stdout, built.stdout
    assert "libkestrel_ops.so, generated/kestrel_ops/libkestrel_ops_classic.so" in built.stdout, built.stdout
    answers = call(sys.executable, "-c", CALL_ALL, cwd=folder, OPGEN_CHECK_VALUES="1")
    assert answers.returncode == 0, answers.stderr
    return json.loads(answers.stdout.splitlines()[-1])


@needs_toolchain
@pytest.mark.compile
@pytest.mark.torch
def test_right_calls_reach_the_kernel(library, said):
    _, declared = library
    assert {name.partition("::")[2] for name in said} == {*declared, "fused_moe.functional"} - {"static_scaled_quant"}
    problems = {name: answers["problem"] for name, answers in said.items() if not answers["valid"]}
    assert problems == {"kestrel::run_plan": "no value can be made for 'plan' of type kestrel.PlanHandle"}
    for name, answers in said.items():
        for label, words in answers["valid"].items():
            assert re.match(r"kestrel::\w+: kernel not written yet: kernels/", words), (name, label, words)


@needs_toolchain
@pytest.mark.compile
@pytest.mark.torch
def test_wrong_calls_are_refused_in_the_words_of_the_fake(said):
    for name, answers in said.items():
        for label, (real, fake, mention) in answers["wrong"].items():
            assert all(words in real for words in mention), (name, label, real)
            assert real == fake, (name, label)
    assert sum(len(answers["wrong"]) for answers in said.values()) > 10 * len(said)


# --- on CUDA ----------------------------------------------------------------------------------------------------------
@pytest.mark.compile
@pytest.mark.torch
@pytest.mark.skipif(
    shutil.which("nvcc") is None or importlib.util.find_spec("torch") is None, reason="no nvcc, or no torch"
)
@pytest.mark.parametrize("op", ["layer_norm", "paged_attention", "scaled_mm"])
def test_units_with_untouched_skeletons_compile_with_nvcc(op, tmp_path):
    write_library(tmp_path, "CUDA")
    generated = call(sys.executable, "-m", "opgen", "generate", cwd=tmp_path)
    assert generated.returncode == 0, generated.stdout
    done = call(
        *(
            "nvcc",
            *("-O0" if flag == "-O3" else flag for flag in FLAGS),
            *architecture_flags("9.0"),
            "-Werror=all-warnings",
            "-Xcompiler=-Werror",
        ),
        *("-DTORCH_TARGET_VERSION=0x020a000000000000", "-I", "generated/csrc", "-I", "."),
        *("-isystem", Path(importlib.util.find_spec("torch").origin).parent / "include"),
        *("-c", f"generated/csrc/units/cuda/{op}.cu", "-o", "unit.o"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
