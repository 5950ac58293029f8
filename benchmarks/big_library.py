"""``python -m benchmarks.big_library``: a library of a thousand ops, generated, compiled, and compiled again elsewhere.

It takes many minutes, so it stands beside the rows of ``python -m benchmarks``. What it shows: how long
generating and compiling take, through ccache, from its full cache, through distcc with two daemons on this machine, and without
either; which commands run where one op has changed; and that all of these make a library that behaves the same.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_PORTS = (13632, 13633)
_WAYS = {"ccache": ("ccache",), "distcc": ("distcc", "distccd"), "plain": ()}
"""Ways to compile, and the programs of each; ``plain`` has no launcher, and so the precompiled header."""

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
import hashlib, sys
sys.path.insert(0, "generated")
import big_ops, torch
x = torch.arange(100.0)
digest = hashlib.sha256()
for name in sorted(big_ops.__all__):
    digest.update(getattr(big_ops, name)(x, 0.5).numpy().tobytes())
print(digest.hexdigest())
"""


def write_library(root: Path, count: int) -> None:
    """Write declarations and kernels."""
    names = [(f"op_{number:04}", number) for number in range(count)]
    root.mkdir(parents=True)
    (root / "ops.yaml").write_text(
        _HEAD + "".join(_OP.format(name=name, number=number) for name, number in names), encoding="utf-8"
    )
    (root / "kernels/cpu").mkdir(parents=True)
    for name, number in names:
        (root / f"kernels/cpu/{name}.cpp").write_text(_KERNEL.format(name=name, number=number), encoding="utf-8")


def run(root: Path, *arguments: str, **environment: str) -> tuple[float, str]:
    """Run a command in the library's folder; return seconds and all that it printed.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - this interpreter and programs that the user has
        [*arguments],
        cwd=root,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise subprocess.CalledProcessError(done.returncode, arguments)
    return time.perf_counter() - start, done.stdout


def opgen(root: Path, *arguments: str, **environment: str) -> tuple[float, str]:
    """Run opgen there."""
    return run(root, sys.executable, "-m", "opgen", *arguments, **environment)


def steps(output: str) -> list[str]:
    """Return the files that ninja's commands were about."""
    return re.findall(r"^\[\d+/\d+\] (.+)$", output, re.MULTILINE)


def forget_objects(root: Path) -> None:
    """Let the next build compile everything."""
    shutil.rmtree(root / "build", ignore_errors=True)


@contextmanager
def daemons(folder: Path) -> Iterator[Mapping[str, str]]:
    """Start two distcc daemons of this machine; yield what clients need in their environment."""
    (folder / "distcc").mkdir()
    started = []
    for port in _PORTS:
        command = ["distccd", "--no-detach", "--daemon", "--allow", "127.0.0.1", "--listen", "127.0.0.1"]
        log = [
            "--port",
            str(port),
            "--jobs",
            "1",
            "--log-file",
            str(folder / f"distccd-{port}.log"),
            "--log-level",
            "info",
        ]
        user = ["--user", "nobody"] if os.getuid() == 0 else []
        (folder / f"distccd-{port}.log").touch()
        (folder / f"distccd-{port}.log").chmod(0o666)  # the daemon is another user
        started.append(subprocess.Popen([*command, *log, *user]))  # noqa: S603 - a program that the user has
    time.sleep(1)
    try:
        hosts = " ".join(f"127.0.0.1:{port}/1" for port in _PORTS)
        yield {"DISTCC_HOSTS": hosts, "DISTCC_FALLBACK": "0", "DISTCC_DIR": str(folder / "distcc")}
    finally:
        for daemon in started:
            daemon.terminate()
            daemon.wait()


def main() -> int:
    """Do all of it; 1 where something is not as it has to be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.big_library", description=__doc__)
    parser.add_argument("--ops", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--by", nargs="+", choices=_WAYS, default=list(_WAYS), help="ways to compile all of it, in this order"
    )
    asked = parser.parse_args()
    if missing := [name for way in asked.by for name in _WAYS[way] if not shutil.which(name)]:
        parser.error(f"not installed: {', '.join(missing)}; leave them out by --by")
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder), asked.ops, ("--jobs", str(asked.jobs)), asked.by)


def measure(folder: Path, count: int, jobs: tuple[str, ...], ways: Sequence[str]) -> int:
    """Print a line for each figure; return 1 where behaviour differs, or too much was compiled."""
    folder.chmod(0o755)
    root = folder / "big"
    write_library(root, count)
    seconds, _ = opgen(root, "generate")
    say(f"generate {count} ops", seconds)
    results: dict[str, str] = {}
    right = True
    for way in ways:
        forget_objects(root)
        with _way(way, folder) as environment:
            launcher = ("--launcher", way) if _WAYS[way] else ()
            build = (*jobs, *launcher)
            seconds, output = opgen(root, "build", *build, **environment)
            say(f"build {' '.join(build)}: {len(steps(output))} commands", seconds)
            results[way] = run(root, sys.executable, "-c", _CALLS)[1]
            if way == ways[0]:
                right &= change_one(root, build, environment)
            if way == "ccache":
                right &= compile_again(root, count, build, environment)
        if way == "distcc":
            logs = (folder / f"distccd-{port}.log" for port in _PORTS)
            served = [log.read_text(encoding="utf-8").count("COMPILE_OK") for log in logs]
            sys.stdout.write(f"{'':12}of these, two daemons compiled {served[0]} and {served[1]}\n")
            right &= sum(served) > count and min(served) > 0
    same = len(set(results.values())) == 1
    sys.stdout.write(f"{', '.join(results)}: {'the same results' if same else f'results differ: {results}'}\n")
    return int(not (same and right))


@contextmanager
def _way(way: str, folder: Path) -> Iterator[Mapping[str, str]]:
    """Yield what a way to compile needs in the environment."""
    if way == "distcc":
        with daemons(folder) as environment:
            yield environment
    else:
        yield {"CCACHE_DIR": str(folder / "ccache")}


def change_one(root: Path, build: tuple[str, ...], environment: Mapping[str, str]) -> bool:
    """Change one kernel, then one schema, and list what ran; return whether that is no more than it has to be."""
    seconds, output = opgen(root, "build", *build, **environment)
    say("build again, nothing to do", seconds)
    nothing = steps(output)
    kernel, declaration = root / "kernels/cpu/op_0000.cpp", root / "ops.yaml"
    kernel.write_text(kernel.read_text(encoding="utf-8") + "// changed\n", encoding="utf-8")
    seconds, output = opgen(root, "build", *build, **environment)
    after_kernel = steps(output)
    say(f"one kernel changed: {', '.join(after_kernel)}", seconds)
    text = declaration.read_text(encoding="utf-8")
    declaration.write_text(text.replace("factor=1.0", "factor=2.0", 1), encoding="utf-8")
    seconds, output = opgen(root, "build", *build, **environment)
    after_schema = steps(output)
    say(f"one schema changed: {', '.join(after_schema)}", seconds)
    declaration.write_text(text, encoding="utf-8")
    # Unit and link; unit, hash of all schemas and link.
    return not nothing and len(after_kernel) == 2 and len(after_schema) == 3  # noqa: PLR2004 - see above


def compile_again(root: Path, count: int, build: tuple[str, ...], environment: Mapping[str, str]) -> bool:
    """Compile all of it from a full cache; return whether nothing was compiled anew."""
    run(root, "ccache", "--zero-stats", **environment)
    forget_objects(root)
    seconds, _ = opgen(root, "build", *build, **environment)
    found = re.search(r"Hits: +(\d+) / +(\d+)", run(root, "ccache", "--show-stats", **environment)[1])
    hits, calls = (int(found[1]), int(found[2])) if found else (0, 0)
    say(f"all of it once more: {hits} of {calls} units from the cache", seconds)
    return hits == calls > count


def say(what: str, seconds: float) -> None:
    """Print one figure at once."""
    sys.stdout.write(f"{seconds:8.1f} s  {what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
