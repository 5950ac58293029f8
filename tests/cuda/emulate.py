"""Builds a library whose CPU kernels are CUDA kernels, compiled for the host: `emulation/cuda_runtime_api.h` runs their threads."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]

_LAUNCH = re.compile(r"(\w+(?:<[^<>;]*>)?)<<<(.*?)>>>\((.*?)\);", re.DOTALL)


def declarations(project):
    """Yield the ops of a project as YAML values."""
    main = yaml.safe_load((project / "ops.yaml").read_text(encoding="utf-8"))
    for file in ("", *main.get("include", [])):
        document = yaml.safe_load((project / file).read_text(encoding="utf-8")) if file else main
        yield from document.get("ops", [])


def names(declaration):
    """Return what an op and its kernel are called."""
    name = declaration["func"].partition("(")[0]
    return name, name.replace(".", "_")


def for_the_host(text):
    """Write launches so that a C++ compiler reads them."""
    return _LAUNCH.sub(r"emulation::launch(\2, [&](const auto&... each) { return [=] { \1(each...); }; }(\3));", text)


def with_kernels(project, folder, dispatch, chosen):
    """Write a library into `folder` of the ops of a project that `chosen` accepts, with the kernel that `dispatch` names.

    Formulas and derived kernels of other ops are left out: what is tried is the kernel.
    """
    main = yaml.safe_load((project / "ops.yaml").read_text(encoding="utf-8"))
    head = {key: value for key, value in main.items() if key not in {"include", "ops"}}
    ops = []
    for declaration in declarations(project):
        if chosen(declaration):
            kept = {key: value for key, value in declaration.items() if key not in {"autograd", "autocast", "vmap"}}
            ops.append({**kept, "dispatch": {"CPU": dispatch(declaration)}})
    (folder / "ops.yaml").write_text(yaml.safe_dump({**head, "ops": ops}, sort_keys=False, width=1000), encoding="utf-8")
    (folder / "references").symlink_to(project / "references")
    return [names(declaration)[1] for declaration in ops]


def emulated(project, folder, chosen):
    """Write a library of all ops with a CUDA kernel; return the environment to build and test it in."""
    main = yaml.safe_load((project / "ops.yaml").read_text(encoding="utf-8"))
    package = main.get("package", f"{main['namespace']}_ops").replace(".", "/")
    sources = folder / "emulated"
    (sources / package).mkdir(parents=True)
    for header in ("cuda.h", "pointwise.cuh"):
        path = project / "generated" / "csrc" / package / header
        if path.exists():
            (sources / package / header).write_text(for_the_host(path.read_text(encoding="utf-8")), encoding="utf-8")

    def kernel(declaration):
        name = names(declaration)[1]
        places = (f"kernels/cuda/{name}.cu", f"generated/csrc/expressions/cuda/{name}.cu")
        path = next(project / place for place in places if (project / place).exists())
        (sources / f"{name}.cpp").write_text(for_the_host(path.read_text(encoding="utf-8")), encoding="utf-8")
        return {"kernel": "cpp", "file": f"emulated/{name}.cpp", "symbol": f"{main['namespace']}::cuda::{name}"}

    found = with_kernels(
        project, folder, kernel, lambda each: each.get("dispatch", {}).get("CUDA") == "cuda" and chosen(each)
    )
    flags = f"-O1 -I {HERE / 'emulation'} -I {sources} -Wno-unknown-pragmas"
    return found, {**os.environ, "CXXFLAGS": flags}


def opgen(folder, *words, env=None):
    """Run opgen in a project; return what it did."""
    return subprocess.run(
        [sys.executable, "-m", "opgen", *words], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
