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
    """Write launches so that a C++ compiler reads them, and what is in a namespace `cuda` in one called `cpu`."""
    text = re.sub(r"(namespace \w+(?:::\w+)*::)cuda\b", r"\1cpu", text)
    return _LAUNCH.sub(r"emulation::launch(\2, [&](const auto&... each) { return [=] { \1(each...); }; }(\3));", text)


def with_kernels(project, folder, kind, chosen):
    """Write a library into `folder` of the ops of a project that `chosen` accepts, with a kernel of this kind.

    Formulas and derived kernels of other ops are left out: what is tried is the kernel.
    """
    main = yaml.safe_load((project / "ops.yaml").read_text(encoding="utf-8"))
    head = {key: value for key, value in main.items() if key not in {"include", "ops"}}
    ops = []
    for declaration in declarations(project):
        if chosen(declaration):
            kept = {key: value for key, value in declaration.items() if key not in {"autograd", "autocast", "vmap"}}
            ops.append({**kept, "dispatch": {"CPU": kind}})
    (folder / "ops.yaml").write_text(
        yaml.safe_dump({**head, "ops": ops}, sort_keys=False, width=1000), encoding="utf-8"
    )
    if (project / "references").is_dir():
        (folder / "references").symlink_to(project / "references")
    return [names(declaration)[1] for declaration in ops]


def emulated(project, folder, chosen):
    """Write a library of all ops with a CUDA kernel; return their names and the environment to build and test it in.

    Its units include the CPU kernels by their paths; files of the same paths that are found first take their place.
    """
    main = yaml.safe_load((project / "ops.yaml").read_text(encoding="utf-8"))
    package = main.get("package", f"{main['namespace']}_ops").replace(".", "/")
    shadow = folder / "shadow"

    def write(path, source):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(for_the_host(source.read_text(encoding="utf-8")), encoding="utf-8")

    headers = project / "generated" / "csrc" / package
    for source in (headers / "cuda.h", *headers.glob("device/*.h")):
        if source.exists():
            write(shadow / package / source.relative_to(headers), source)
    found = with_kernels(
        project, folder, "cpp", lambda each: each.get("dispatch", {}).get("CUDA") == "cuda" and chosen(each)
    )
    for name in found:
        for place in ("kernels/cuda", "generated/csrc/expressions/cuda"):
            source = project / place / f"{name}.cu"
            if source.exists():
                write(shadow / place.replace("cuda", "cpu") / f"{name}.cpp", source)
    compiler = f"g++ -iquote {shadow} -I {shadow} -I {HERE / 'emulation'}"
    return found, {**os.environ, "CXX": compiler, "CXXFLAGS": "-O1"}


def opgen(folder, *words, env=None):
    """Run opgen in a project; return what it did."""
    return subprocess.run(
        [sys.executable, "-m", "opgen", *words], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def run(folder, *words):
    """Run Python in a project; return what it did."""
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)


def all_names(project):
    """Return what the kernels of a project are called."""
    return {names(declaration)[1] for declaration in declarations(project)}
