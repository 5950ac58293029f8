"""``opgen parse``: one schema a line in, one object a line out."""

import json

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


def test_all_good_is_0_and_nothing_heavy_is_imported(run, tmp_path):
    assert run("parse", "f() -> ()", cwd=tmp_path).returncode == 0
