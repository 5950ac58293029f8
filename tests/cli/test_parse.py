"""``opgen parse``: one schema a line in, one object a line out."""

import json
import os
import subprocess
import sys
import threading

import pytest


def records(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_schemas_given_as_words(run, tmp_path):
    result = run("parse", "f(Tensor(a!) x)->Tensor(a!)", "g(Tensor", cwd=tmp_path)
    assert result.returncode == 1
    good, bad = records(result)
    assert good == {
        "input": "f(Tensor(a!) x)->Tensor(a!)",
        "ok": True,
        "canonical": "f(Tensor(a!) x) -> Tensor(a!)",
        "contract": "in-place",
        "errors": [],
    }
    assert (bad["ok"], bad["canonical"], bad["contract"]) == (False, None, None)
    [error] = bad["errors"]
    assert set(error) == {"code", "message", "start", "end"}
    assert error["code"].startswith("OPG1")
    assert error["start"] == len("g(Tensor")


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_schemas_from_stdin_keep_their_lines(run, tmp_path, arguments):
    result = run("parse", *arguments, cwd=tmp_path, stdin="f(int x=1) -> int\r\n\nü() -> ()\ng() -> ()")
    assert [record["ok"] for record in records(result)] == [True, False, False, True]
    assert [record["input"] for record in records(result)] == ["f(int x=1) -> int", "", "ü() -> ()", "g() -> ()"]


def test_each_schema_is_answered_before_the_next_is_read(tmp_path):
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, "-m", "opgen", "parse"],
        cwd=tmp_path,
        env=buffered,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        killer = threading.Timer(30, process.kill)  # what waits for the end of stdin would wait for ever
        killer.start()
        process.stdin.write("f() -> ()\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith('{"input": "f() -> ()"')
        killer.cancel()
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_all_good_is_0_and_nothing_heavy_is_imported(tmp_path):
    script = (
        "import sys, opgen.cli\n"
        "try: opgen.cli.main(['parse', 'f() -> ()'])\n"
        "except SystemExit as end: print(end.code, sorted({'torch', 'jinja2', 'yaml', 'rich'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout.endswith("\n0 []\n")
