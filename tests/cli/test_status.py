"""``opgen status``, as a user runs it."""

import json

import pytest


def test_json_has_the_facts_of_each_op(run, project):
    result = run("status", "--format", "json", cwd=project)
    record = json.loads(result.stdout)
    assert result.returncode == 0
    assert record["missing"] == {"CPU": 2, "docs": 2}
    first = record["ops"][0]
    assert (first["op"], first["contract"], first["path"], first["line"]) == ("tiny::halve_", "in-place", "ops.yaml", 8)
    assert first["facts"]["CPU"] == {"state": "missing", "text": "no file"}


@pytest.mark.parametrize(("percent", "status"), [(50, 0), (60, 0), (61, 1), (100, 1)])
def test_fail_under_decides_about_the_exit_status(run, project, percent, status):
    result = run("status", "--fail-under", str(percent), cwd=project)
    assert result.returncode == status
    assert "2 ops, 60 % ready" in result.stdout
    assert ("60 % is ready, which is under" in result.stderr) == bool(status)


def test_kernels_of_ops_that_are_registered_by_hand_are_looked_for_in_their_source(run, tmp_path):
    schema = "f(Tensor x) -> Tensor"
    (tmp_path / "ops.yaml").write_text(
        f"opgen: 1\nnamespace: mylib\nops:\n  - func: {schema}\n    registered: ops.cpp\n", encoding="utf-8"
    )
    (tmp_path / "ops.cpp").write_text(
        f'TORCH_LIBRARY(mylib, m) {{ m.def("{schema}"); }}\nTORCH_LIBRARY_IMPL(mylib, CPU, m) {{ m.impl("f", &f); }}\n',
        encoding="utf-8",
    )
    (op,) = json.loads(run("status", "--format", "json", cwd=tmp_path).stdout)["ops"]
    assert op["facts"]["CPU"] == {"state": "ready", "text": "registered"}


def test_a_declaration_that_can_not_be_read_is_reported(run, project):
    (project / "ops.yaml").write_text("opgen: 1\n", encoding="utf-8")
    result = run("status", cwd=project)
    assert result.returncode == 1
    assert "error[OPG" in result.stdout


def test_sources_without_ops_are_a_table_without_rows(run, tmp_path):
    (tmp_path / "ops.cpp").write_text("int main() {}\n")
    result = run("status", "ops.cpp", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "no op was found\n")
    assert "0 ops, 100 % ready" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"), [(["nowhere"], "there is no 'nowhere'"), (["--fail-under", "101"], "0<=x<=100")]
)
def test_wrong_usage_is_said_in_a_sentence(run, project, arguments, words):
    result = run("status", *arguments, cwd=project)
    assert result.returncode == 2
    assert words in result.stderr
