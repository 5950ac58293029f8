"""``opgen breaking``, as a user runs it."""

import json
import os
import subprocess

import pytest

OLD = """\
opgen: 1
namespace: mylib
defaults: {autograd: none}
include: [ops/more.yaml]
ops:
  - func: scale(Tensor x, float by=1.0) -> Tensor
"""
MORE = "ops:\n  - func: shift(Tensor x, float by) -> Tensor\n"
NEW = OLD.replace("by=1.0", "by=2.0").replace("include: [ops/more.yaml]\n", "")
CPP = """\
#include <torch/library.h>
TORCH_LIBRARY(mylib, m) {
  m.def("scale(Tensor x, float by=1.0) -> Tensor");
  m.def("shift(Tensor x, float by) -> Tensor");
}
"""


def git(folder, *arguments):
    config = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *config, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    """A repository whose only commit has OLD, below a folder, and C++ beside it."""
    project = tmp_path / "my lib"
    (project / "ops").mkdir(parents=True)
    (project / "csrc").mkdir()
    (project / "ops.yaml").write_text(OLD)
    (project / "ops/more.yaml").write_text(MORE)
    (project / "csrc/ops.cpp").write_text(CPP)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return project


def found(result):
    return sorted((finding["code"], finding["op"]) for finding in json.loads(result.stdout))


def test_an_unchanged_library_breaks_nobody(run, repository):
    result = run("breaking", "--against", "main", cwd=repository)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "nothing found\n")


def test_the_old_declaration_and_what_it_included_are_read_from_the_commit(run, repository):
    (repository / "ops.yaml").write_text(NEW)
    (repository / "ops/more.yaml").unlink()
    result = run("breaking", "--against", "HEAD", "--format", "json", cwd=repository)
    assert result.returncode == 1
    assert found(result) == [("OPG700", "mylib::shift"), ("OPG717", "mylib::scale")]
    text = run("breaking", "--against", "HEAD", cwd=repository).stdout
    assert (
        "ops.yaml:5:27: error[OPG717] mylib::scale: the default of 'by' was 1.0, and is 2.0 (breaks PYTHON, EXPORT, SEMANTIC)"
        in text
    )
    assert "note: HEAD:ops/more.yaml:2:11: this is how it was" in text


def test_another_file_of_a_commit_and_a_folder_further_down(run, repository):
    (repository / "ops.yaml").write_text(NEW)
    against = "main:my lib/ops.yaml"
    result = run("-C", "my lib", "breaking", "--against", against, "--format", "json", cwd=repository.parent)
    assert found(result) == [("OPG700", "mylib::shift"), ("OPG717", "mylib::scale")]


def test_a_file_is_compared_with(run, repository):
    (repository / "old.yaml").write_text(NEW)
    result = run("breaking", "--against", "old.yaml", "--format", "concise", cwd=repository)
    assert result.returncode == 1
    assert "the default of 'by' was 2.0, and is 1.0" in result.stdout


def test_sources_are_compared_with_those_of_a_commit_and_with_a_declaration(run, repository):
    (repository / "csrc/ops.cpp").write_text(CPP.replace("shift(Tensor x, float by)", "shift(Tensor x, float to)"))
    result = run("breaking", "csrc", "--against", "HEAD", "--format", "json", cwd=repository)
    assert found(result) == [("OPG711", "mylib::shift")]
    assert json.loads(result.stdout)[0]["path"] == "csrc/ops.cpp"
    result = run("breaking", "--against", "csrc", "--format", "json", cwd=repository)
    assert found(result) == [("OPG711", "mylib::shift")]


def test_an_op_that_may_be_among_unread_registrations_is_said_to(run, repository):
    source = CPP.replace('"shift(Tensor x, float by) -> Tensor"', "schema_of_shift()")
    (repository / "csrc/ops.cpp").write_text(source)
    result = run("breaking", "csrc", "--against", "HEAD", cwd=repository)
    assert "it may be among the registrations that can't be read" in result.stdout
    assert "1 registration of the new side can't be read" in result.stderr


def test_a_category_and_codes_choose_what_is_reported(run, repository):
    (repository / "ops.yaml").write_text(NEW)
    call = ["breaking", "--against", "HEAD", "--format", "json"]
    assert found(run(*call, "--category", "cxx", cwd=repository)) == [("OPG700", "mylib::shift")]
    assert found(run(*call, "--category", "SEMANTIC", cwd=repository)) == [("OPG717", "mylib::scale")]
    assert found(run(*call, "--ignore", "removed-op", cwd=repository)) == [("OPG717", "mylib::scale")]
    result = run(*call, "--select", "OPG73", cwd=repository)
    assert (found(result), result.returncode) == ([], 0)


def test_what_lint_selects_is_no_choice_of_what_breaks(run, repository):
    (repository / "opgen.toml").write_text('[lint]\nselect = ["OPG1"]\n')
    (repository / "ops.yaml").write_text(NEW)
    assert run("breaking", "--against", "HEAD", cwd=repository).returncode == 1


def test_a_comment_silences_a_finding_and_lint_does_not_call_it_unused(run, repository):
    silent = NEW.replace("-> Tensor\n", "-> Tensor  # opgen: ignore[changed-default]\n") + MORE.removeprefix("ops:\n")
    (repository / "ops.yaml").write_text(silent)
    assert run("breaking", "--against", "HEAD", cwd=repository).returncode == 0
    assert run("lint", cwd=repository).returncode == 0


@pytest.mark.parametrize("format_", ["github", "sarif"])
def test_a_format_of_lint_names_code_and_category(run, repository, format_):
    (repository / "ops.yaml").write_text(NEW)
    result = run("breaking", "--against", "HEAD", "--format", format_, cwd=repository)
    assert result.returncode == 1
    assert "OPG700" in result.stdout
    assert "(breaks PYTHON, EXPORT, CXX)" in result.stdout


@pytest.mark.parametrize("arguments", [("breaking", "csrc", "--against", "HEAD"), ("status",), ("status", "csrc")])
def test_torch_is_not_imported(run, repository, arguments):
    (repository / "torch.py").write_text("raise SystemExit('torch was imported')\n")
    path = os.pathsep.join([str(repository), os.environ.get("PYTHONPATH", "")])
    assert run(*arguments, cwd=repository, env={"PYTHONPATH": path}).returncode == 0


def test_errors_of_the_new_side_come_first(run, repository):
    (repository / "ops.yaml").write_text(NEW.replace("Tensor x", "Tensr x"))
    result = run("breaking", "--against", "HEAD", "--format", "json", cwd=repository)
    assert (result.returncode, found(result)) == (1, [("OPG101", "mylib::scale")])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--against", "nowhere"], "'nowhere' is neither a file nor a commit"),
        (["--against", "HEAD:other.yaml"], "there is no 'other.yaml' in the commit 'HEAD'"),
        (["--against", ""], "`--against` is empty"),
        (["missing.yaml", "--against", "HEAD"], "there is no 'missing.yaml'"),
        ([], "Missing option '--against'"),
        (["--against", "HEAD", "--ignore", "nothing"], "there is no code 'nothing'"),
        (["--against", "HEAD", "--category", "C"], "'C' is not one of"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(run, repository, arguments, words):
    result = run("breaking", *arguments, cwd=repository)
    assert result.returncode == 2
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_of_several_declarations_one_is_to_be_named(run, repository):
    (repository / "lib").mkdir()
    (repository / "lib/ops.yaml").write_text(NEW)
    result = run("breaking", ".", "--against", "HEAD", cwd=repository)
    assert result.returncode == 2
    assert "there are 2 declarations: 'ops.yaml', 'lib/ops.yaml'; name one of them" in result.stderr


def test_without_a_repository_a_commit_can_not_be_found(run, tmp_path):
    (tmp_path / "ops.yaml").write_text(NEW)
    result = run("breaking", "--against", "main", cwd=tmp_path, env={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})
    assert result.returncode == 2
    assert "not a git repository" in result.stderr


def test_of_a_shallow_clone_is_said_how_to_get_the_rest(run, repository, tmp_path_factory):
    result = run("breaking", "--against", "HEAD~1", cwd=repository)
    assert (result.returncode, "shallow" in result.stderr) == (2, False)
    clone = tmp_path_factory.mktemp("clone")
    git(repository, "commit", "--allow-empty", "-qm", "second")
    git(clone, "clone", "-q", "--depth", "1", repository.parent.as_uri(), ".")
    result = run("breaking", "--against", "HEAD~1", cwd=clone / repository.name)
    assert result.returncode == 2
    assert "`git fetch --unshallow --tags` brings the rest" in result.stderr
