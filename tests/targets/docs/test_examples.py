"""The example of every page of the showcase is called: its fake kernel checks what is passed, and gives what is asserted."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.check import check
from opgen.targets.schema_hash import schema_hash

pytest.importorskip("torch")
pytestmark = [pytest.mark.torch]

PROJECT = Path(__file__).parents[3]
EXAMPLE = re.compile(r"^## Example\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = """
import json, sys, traceback
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

failed = {}
for name, code in json.load(sys.stdin).items():
    try:
        with FakeTensorMode(shape_env=ShapeEnv()):
            exec(code, {})
    except Exception:
        failed[name] = traceback.format_exc(limit=-1)
print(json.dumps(failed))
"""


def test_an_example_is_a_call_that_the_op_accepts_and_its_results_are_those_that_it_says(tmp_path):
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        pytest.skip("no C compiler")
    library = check(PROJECT / "ops.yaml").library
    package = shutil.copytree(PROJECT / "generated" / library.package, tmp_path / library.package)
    kernels = (path for folder in ("cpu", "triton") for path in (PROJECT / "kernels" / folder).glob("*.py"))
    for kernel in kernels:  # where a build puts them
        (package / "_kernels" / kernel.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copy(kernel, package / "_kernels" / kernel.parent.name)
    binary = f'const char* {library.package}_schema_hash(void) {{ return "{schema_hash(library)}"; }}'
    command = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", package / f"lib{library.package}.so"]
    subprocess.run(command, input=binary.encode(), check=True)
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (PROJECT / "generated" / "docs").glob("*.md")}
    examples = {name: found[1] for name, text in pages.items() if (found := EXAMPLE.search(text))}
    assert len(examples) >= 0.8 * len(library.families)
    del examples["call_count"]  # it has no tensors, and so no fake kernel

    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN],
        cwd=tmp_path,
        input=json.dumps(examples),
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout.splitlines()[-1]) == {}
