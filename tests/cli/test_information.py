"""``opgen doctor``, ``explain`` and ``rules``."""

import json

import pytest


def test_doctor_lists_what_is_there_and_agrees_with_its_exit_status(run, tmp_path):
    result = run("doctor", "--format", "json", cwd=tmp_path)
    record = json.loads(result.stdout)
    assert [part["name"] for part in record["parts"]][:4] == ["python", "torch", "compiler", "ninja"]
    assert record["parts"][0]["found"].startswith("Python 3.")
    assert record["can_build"] == (result.returncode == 0)


def test_doctor_says_what_a_build_lacks_and_how_to_get_it(run, tmp_path):
    result = run("doctor", cwd=tmp_path, env={"PATH": "", "CXX": "g++-of-nowhere"})
    assert result.returncode == 1
    assert "compiler not found; needed for build" in result.stdout
    assert "not ready to build:\n" in result.stdout
    assert "  compiler: install g++ or clang++" in result.stdout


@pytest.mark.compile
@pytest.mark.torch
def test_doctor_asks_torch_about_pairs_on_request(run, tmp_path):
    record = json.loads(run("doctor", "--tag-out", "--format", "json", cwd=tmp_path).stdout)
    assert record["tag_out"]
    assert all(result == "ok" or ": " in result for result in record["tag_out"].values())
    assert not any(result.startswith("did not run") for result in record["tag_out"].values())


def test_doctor_says_that_a_broken_python_could_not_be_asked(run, tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no torch here >&2\nexit 1\n")
    python.chmod(0o755)
    result = run("doctor", "--tag-out", "--python", str(python), cwd=tmp_path)
    assert "did not run: no torch here" in result.stdout


def test_rules_lists_every_room_and_explain_knows_each(run, tmp_path):
    codes = json.loads(run("rules", "--format", "json", cwd=tmp_path).stdout)
    assert {code["id"][:4] for code in codes} >= {"OPG1", "OPG2", "OPG4", "OPG5", "OPG8"}
    assert len(run("rules", cwd=tmp_path).stdout.splitlines()) == len(codes)
    assert len({code["id"] for code in codes}) == len(codes)


@pytest.mark.parametrize("word", ["OPG801", "opg801", "edited-generated-file"])
def test_a_code_is_explained_by_id_or_name(run, tmp_path, word):
    result = run("explain", word, cwd=tmp_path)
    assert result.returncode == 0
    assert "# OPG801: edited-generated-file" in result.stdout
