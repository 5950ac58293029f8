"""How kernels are compiled, how many at a time, and which headers only once."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.build import jobs
from opgen.build.generate import generate
from opgen.build.mode import Mode
from opgen.build.plan import plan_build
from opgen.build.report import Status
from opgen.build.toolchain import Toolchain, Torch

GIB = 2**20  # in the kB of /proc/meminfo
TOOLS = Toolchain(
    compiler=("/usr/bin/g++",),
    ninja="ninja",
    python="python",
    torch=Torch(Path("/torch"), "2.13.0", (2, 13)),
    flags={"CXXFLAGS": ("-last",), "LDFLAGS": (), "NVCCFLAGS": ()},
    cuda=Status.NO_NVCC,
)


def plan(folder, *, classic=0, stable=1, mode=None, launcher=()):
    ops = [f"  - func: stable{i}(Tensor(a!) x) -> ()\n" for i in range(stable)]
    ops += [f"  - {{func: 'classic{i}(Tensor(a!) x) -> ()', abi: classic}}\n" for i in range(classic)]
    file = folder / "ops.yaml"
    file.write_text(f"opgen: 1\nnamespace: ns\nops:\n{''.join(ops)}", encoding="utf-8")
    made = generate(file)
    assert made.library, made.diagnostics
    return plan_build(made.library, made.files, replace(TOOLS, launcher=launcher), folder, mode or Mode(launcher=""))


@pytest.mark.parametrize(
    ("mode", "compiled", "linked"),
    [
        (Mode(), ["-O3"], ["-Wl,-z,defs"]),
        (Mode(debug=True), ["-g", "-O0"], ["-Wl,-z,defs"]),
        (Mode(coverage=True), ["-O0", "--coverage"], ["--coverage"]),
        (
            Mode(sanitize=("address", "undefined")),
            ["-g", "-O1", "-fsanitize=address,undefined"],
            ["-fsanitize=address,undefined"],
        ),
        (Mode(debug=True, sanitize=("thread",)), ["-O0", "-fsanitize=thread"], ["-fsanitize=thread"]),
    ],
)
def test_flags_of_a_mode_come_after_those_for_use_and_before_those_of_the_user(tmp_path, mode, compiled, linked):
    made = plan(tmp_path, mode=mode)
    (words, _) = (command["arguments"] for command in json.loads(made.compile_commands))
    assert all(words.index("-O3") <= words.index(flag) < words.index("-last") for flag in compiled)
    (link,) = (line for line in made.ninja_text.splitlines() if line.startswith("  command = ") and " -shared " in line)
    assert all(f" {flag}" in link for flag in linked)


def test_a_sanitized_library_needs_its_runtimes_first(tmp_path, monkeypatch):
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    monkeypatch.delenv("ASAN_OPTIONS", raising=False)
    compiler = tmp_path / "c++"
    compiler.write_text('#!/bin/sh\necho "/nowhere/${1#*=}"\n', encoding="utf-8")
    compiler.chmod(0o755)
    assert Mode().environment([str(compiler)]) == {}
    found = Mode(sanitize=("address", "undefined")).environment([str(compiler)])
    assert found == {"LD_PRELOAD": "/nowhere/libasan.so /nowhere/libubsan.so", "ASAN_OPTIONS": "detect_leaks=0"}


def test_what_the_user_says_to_a_sanitizer_wins(monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", "mine.so")
    monkeypatch.setenv("ASAN_OPTIONS", "halt_on_error=0")
    found = Mode(sanitize=("address",)).environment(["false"])
    assert found == {"LD_PRELOAD": "libasan.so mine.so", "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=0"}
    assert "ASAN_OPTIONS" not in Mode(sanitize=("address", "leak")).environment(["false"])


def test_an_environment_may_name_the_launcher(monkeypatch):
    monkeypatch.setenv("CMAKE_CXX_COMPILER_LAUNCHER", "sccache")
    assert Mode().launcher == "sccache"
    monkeypatch.setenv("OPGEN_COMPILER_LAUNCHER", "distcc")
    assert (Mode().launcher, Mode(launcher="").launcher) == ("distcc", "")


@pytest.mark.parametrize(
    ("files", "classic", "expected"),
    [
        ({}, False, 16),
        ({"/proc/meminfo": f"MemTotal: 9 kB\nMemAvailable: {4 * GIB} kB\n"}, False, 10),
        ({"/proc/meminfo": f"MemAvailable: {4 * GIB} kB\n"}, True, 4),
        ({"/proc/meminfo": "MemAvailable: 1 kB\n"}, True, 1),
        ({"/sys/fs/cgroup/memory.max": "max\n", "/sys/fs/cgroup/memory.current": "5\n"}, False, 16),
        ({"/sys/fs/cgroup/memory.max": f"{3 * 2**30}\n", "/sys/fs/cgroup/memory.current": f"{2**30}\n"}, True, 2),
        ({"/sys/fs/cgroup/cpu.max": "250000 100000\n"}, False, 2),
        ({"/sys/fs/cgroup/cpu.max": "max 100000\n"}, False, 16),
        ({"/sys/fs/cgroup/cpu.max": "50000 100000\n"}, False, 1),
    ],
)
def test_as_many_compilers_as_fit(monkeypatch, files, classic, expected):
    monkeypatch.setattr(jobs, "_read", lambda path: files.get(path, ""))
    for name in jobs.JOBS_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(16), raising=False)
    assert jobs.default_jobs(classic=classic) == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [({"MAX_JOBS": "5"}, 5), ({"MAX_JOBS": "5", "OPGEN_JOBS": "3"}, 3), ({"MAX_JOBS": "x"}, 16)],
)
def test_an_environment_may_state_the_number_of_compilers(monkeypatch, variables, expected):
    monkeypatch.setattr(jobs, "_read", lambda _: "")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(16), raising=False)
    for name in jobs.JOBS_VARIABLES:
        monkeypatch.setenv(name, variables.get(name, ""))
    assert jobs.default_jobs(classic=False) == expected


INCLUDES = "#include <ns_ops/support.h>\n#include <ns_ops/unit.h>\n"


@pytest.mark.parametrize(
    ("settings", "texts"),
    [
        ({"stable": 8}, {"stable": INCLUDES}),
        ({"classic": 8}, {"classic": f"#define NS_OPS_ABI_CLASSIC\n{INCLUDES}"}),
        ({"stable": 8, "classic": 8}, {"classic": f"#define NS_OPS_ABI_CLASSIC\n{INCLUDES}", "stable": INCLUDES}),
        ({"stable": 7, "classic": 7}, {}),
        ({"stable": 9, "classic": 9, "launcher": ("/bin/ccache",)}, {}),
    ],
)
def test_headers_are_compiled_once_where_that_pays_and_no_launcher_would_lose_them(tmp_path, settings, texts):
    made = plan(tmp_path, **settings)
    assert {header.abi: header.text for header in made.precompiled} == texts
    assert made.ninja_text.count("c++-header") == len(texts)


def test_units_of_ops_include_the_header_of_their_abi_which_is_compiled_as_they_are(tmp_path):
    made = plan(tmp_path, stable=8, classic=8)
    builds = dict(re.findall(r"^build (\S+): \S+ (.*\n  flags = .*)$", made.ninja_text, re.MULTILINE))
    for header in made.precompiled:
        flags = builds[header.compiled].partition("flags = -x c++-header ")[2]
        users = {name: text for name, text in builds.items() if header.compiled in text}
        assert len(users) == 8
        assert all(text.endswith(f"flags = {flags} -include {header.header}") for text in users.values())
        assert all(("/classic/" in name) == (header.abi == "classic") for name in users)
