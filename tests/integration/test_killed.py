"""Killed at any moment, or at work twice: one command later everything is right.

`OPGEN_KILLS=200` kills as often, at random moments; `OPGEN_KILLS_SEED` repeats a run.
"""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

KILLS = int(os.environ.get("OPGEN_KILLS", "6"))
SEED = int(os.environ.get("OPGEN_KILLS_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
HEAD = "opgen: 1\nnamespace: kills\ndefaults: {autograd: none}\nops:\n"
OP = """\
  - func: {name}(Tensor x) -> Tensor
    tensors: {{x: "float32 [n]", return: "x.dtype [n]"}}
    reference: x * {factor}
"""
KERNEL = """\
#include <kills_ops/{name}.h>
namespace kills::cpu {{
void {name}(const Tensor& x, Tensor& out) {{
  for (int64_t i = 0; i < x.numel(); ++i)
    out.mutable_data_ptr<float>()[i] = {factor} * x.const_data_ptr<float>()[i * x.stride(0)];
}}
}}  // namespace kills::cpu
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


def start(folder, verb):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPGEN_")}
    return subprocess.Popen(
        [sys.executable, "-m", "opgen", verb],
        cwd=folder,
        env={**environment, "CXXFLAGS": "-O0", "OPGEN_NO_CACHE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def finish(folder, verb):
    process = start(folder, verb)
    output = process.communicate()[0]
    return process.returncode, output


def declare(folder, names, factor, *, kernels=True):
    """Declare ops whose kernels multiply by ``factor``; what is written has another time stamp than what it replaces."""
    (folder / "ops.yaml").write_text(HEAD + "".join(OP.format(name=name, factor=factor) for name in names))
    (folder / "kernels/cpu").mkdir(parents=True, exist_ok=True)
    for name in names if kernels else ():
        (folder / f"kernels/cpu/{name}.cpp").write_text(KERNEL.format(name=name, factor=factor))


def tree(folder):
    """Return the bytes of what is generated, by path; what Python and the compiler leave there is not opgen's to compare."""
    files = (
        path for path in (folder / "generated").rglob("*") if path.is_file() and path.suffix not in {".pyc", ".so"}
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def chance():
    """Random numbers whose seed a failure shows."""
    print(f"OPGEN_KILLS_SEED={SEED}")  # noqa: T201 - pytest shows it where a test fails
    return random.Random(SEED)  # noqa: S311 - nothing secret


def test_a_generate_that_is_killed_leaves_whole_files_and_the_next_one_the_right_tree(tmp_path, chance):
    sets = ([f"op{i}" for i in range(20)], [f"op{i}" for i in range(10, 30)])
    trees = []
    for names in sets:
        declare(tmp_path, names, factor=len(trees) + 2)
        began = time.monotonic()
        assert finish(tmp_path, "generate")[0] == 0
        duration = time.monotonic() - began
        trees.append(tree(tmp_path))
    kernels = {path: path.read_bytes() for path in (tmp_path / "kernels").rglob("*.cpp")}

    mixed = 0
    for number in range(KILLS):
        new = number % 2
        declare(tmp_path, sets[new], factor=new + 2, kernels=False)
        process = start(tmp_path, "generate")
        time.sleep(duration * chance.triangular(0, 1.1, 0.9))  # most often where it writes
        process.kill()
        process.communicate()

        left = {path: data for path, data in tree(tmp_path).items() if not path.endswith(".opgen-new")}
        old_or_new = (trees[0], trees[1])
        assert [path for path in left if left[path] not in (each.get(path) for each in old_or_new)] == []
        assert [path for path in trees[0] if path in trees[1] and path not in left] == []
        mixed += left not in trees
        assert finish(tmp_path, "generate")[0] == 0
        assert tree(tmp_path) == trees[new]
        assert kernels == {path: path.read_bytes() for path in (tmp_path / "kernels").rglob("*.cpp")}
    print(f"{KILLS} times killed, {mixed} times while files were moved")  # noqa: T201 - figures, for who runs it with -s


@pytest.mark.compile
def test_a_build_that_is_killed_is_mended_by_the_next_one(tmp_path, chance):
    pytest.importorskip("torch")
    declare(tmp_path, ["one"], factor=1)
    began = time.monotonic()
    assert finish(tmp_path, "build")[0] == 0
    duration = time.monotonic() - began

    for number in range(KILLS // 3 or 1):
        declare(tmp_path, ["one"], factor=number + 2)
        process = start(tmp_path, "build")
        time.sleep(chance.uniform(0, duration))
        # Compilers may die with it, or go on: then their objects are of sources that have changed since.
        if chance.random() < 0.5:
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        declare(tmp_path, ["one"], factor=-number - 2)

        status, output = finish(tmp_path, "build")

        assert status == 0, output
        assert "compiled, tested" in output
        process.communicate()
        assert "nothing to do" in finish(tmp_path, "build")[1]


@pytest.mark.compile
def test_two_builds_at_once_both_end_right(tmp_path):
    pytest.importorskip("torch")
    declare(tmp_path, ["one", "two"], factor=3)
    both = [start(tmp_path, "build") for _ in range(2)]

    outputs = [process.communicate()[0] for process in both]

    assert [process.returncode for process in both] == [0, 0], outputs
    assert all(output.count("compiled, tested") == 3 for output in outputs), outputs
    waited = [output for output in outputs if re.search(r"in use by another opgen \(process \d+, for \d+ s\)", output)]
    assert len(waited) == 1
    assert sum("units/cpu/one.cpp" in output for output in outputs) == 1


def test_a_file_that_does_not_fit_on_the_disk_leaves_all_as_it_was(tmp_path):
    declare(tmp_path, ["one"], factor=2)
    assert finish(tmp_path, "generate")[0] == 0
    before = tree(tmp_path)
    (tmp_path / "ops.yaml").write_text(HEAD + "".join(OP.format(name=f"op{i}", factor=2) for i in range(30)))
    limited = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit("
    limited += "resource.RLIMIT_FSIZE, (4096, 4096)); from opgen.cli import main; main(['generate'])"

    run = subprocess.run([sys.executable, "-c", limited], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run.returncode == 1
    assert re.search(r"error\[OPG803\] can't write 'generated/.*': file too large", run.stdout)
    assert tree(tmp_path) == before
    assert not list(tmp_path.rglob("*.opgen-new"))


def test_an_empty_file_where_one_is_generated_is_nobodys_work(tmp_path):
    declare(tmp_path, ["one"], factor=2)
    assert finish(tmp_path, "generate")[0] == 0
    before = tree(tmp_path)
    (tmp_path / "generated/kills_ops/ops.py").write_bytes(b"")

    assert finish(tmp_path, "generate")[0] == 0
    assert tree(tmp_path) == before
