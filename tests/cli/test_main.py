"""What holds for every verb."""

import os
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from opgen import __version__
from opgen.cli import main
from opgen.cli.group import VERBS, opgen
from opgen.cli.options import Ui

OPGEN = [sys.executable, "-m", "opgen"]


def test_the_version_costs_no_verb(run, tmp_path):
    assert run("--version", cwd=tmp_path).stdout == f"opgen {__version__}\n"
    script = (
        "import sys, opgen.cli\n"
        "try: opgen.cli.main(['--help'])\n"
        "finally: print([m for m in ('torch', 'yaml', 'lark', 'jinja2', 'rich', 'opgen.rules') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.endswith("[]\n")
    assert all(verb in shown for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_help_exists_and_names_the_variable_of_every_option(verb):
    result = CliRunner().invoke(opgen, [verb, "--help"])
    assert result.exit_code == 0
    command = opgen.get_command(None, verb)
    names = [p.name for p in command.params if isinstance(p, click.Option) and p.name != "help"]
    assert result.output.count("env var:") + result.output.count("[env") >= len(names)
    assert "OPGEN_COLOR" in result.output.replace("\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["buidl"], "did you mean 'build'?"),
        (["frobnicate"], "No such command"),
        (["lint", "--frmat", "json"], "--format"),
        (["lint", "--format", "yaml"], "concise"),
        (["lint"], "there is no 'ops.yaml'; name declarations, C++ or Python sources, or folders that hold any"),
        (["generate"], "there is no 'ops.yaml'; name the declaration by -C or --file"),
        (["generate", "--file", "."], "'.' is a folder, expected a declaration"),
        (["generate", "-C", "nowhere"], "there is no 'nowhere/ops.yaml'"),
        (["build", "--jobs", "0"], "0"),
        (["explain", "OPG80"], "did you mean"),
        (["explain"], "CODE"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_would_be_right(run, tmp_path, arguments, words):
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("verb", ["lint", "generate", "build", "test"])
def test_in_a_part_of_a_project_its_folder_is_named(run, project, verb):
    (project / "kernels/cpu").mkdir(parents=True)
    result = run(verb, cwd=project / "kernels")
    assert result.returncode == 2
    assert "there is no 'ops.yaml'; found '../ops.yaml': run with `-C ..`\n" in result.stderr
    assert "run with `-C ../..`" in run(verb, cwd=project / "kernels/cpu").stderr
    assert "found" not in run(verb, "-C", "nowhere", cwd=project / "kernels").stderr


def crash(monkeypatch):
    def broken(*_args, **_settings):
        raise RuntimeError("something broke")

    monkeypatch.setattr(opgen, "main", broken)
    with pytest.raises(SystemExit) as caught:
        main([])
    return caught.value.code


def test_a_bug_is_one_sentence_without_a_traceback(monkeypatch, capsys):
    monkeypatch.delenv("OPGEN_DEBUG", raising=False)
    monkeypatch.setattr(sys, "argv", ["opgen"])
    monkeypatch.setattr("sys.stdout.reconfigure", lambda **_: None, raising=False)
    monkeypatch.setattr("sys.stderr.reconfigure", lambda **_: None, raising=False)
    assert crash(monkeypatch) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "RuntimeError: something broke; please report it" in error
    monkeypatch.setenv("OPGEN_DEBUG", "1")
    assert crash(monkeypatch) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_reader_that_has_gone_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run([*OPGEN, "rules"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert process.stderr == ""
    assert process.returncode == -signal.SIGPIPE


def test_ctrl_c_is_clean(tmp_path):
    with subprocess.Popen(
        [*OPGEN, "parse"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell starts what it puts in the background with Ctrl-C switched off, and so this test, perhaps.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - nothing else runs here
    ) as process:
        process.stdin.write("f() -> ()\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("{")
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    assert process.returncode == 130
    assert error.strip() == "interrupted"


class Terminal:
    def __init__(self, answer):
        self.answer = answer

    def isatty(self):
        return self.answer


@pytest.mark.parametrize(
    ("color", "environment", "terminal", "expected"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colours(monkeypatch, color, environment, terminal, expected):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Ui(color, quiet=False, verbose=False).colors(Terminal(terminal)) is expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there(run, tmp_path, shell):
    shown = run(cwd=tmp_path, env={"_OPGEN_COMPLETE": f"{shell}_source"})
    assert "_OPGEN_COMPLETE" in shown.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("opgen bui", {"build"}),
        ("opgen lint --fo", {"--format"}),
        ("opgen lint --format ", {"text", "concise", "json", "github", "sarif", "junit"}),
        ("opgen build --wa", {"--watch"}),
    ],
)
def test_completion_knows_verbs_options_and_choices(shell, words, expected):
    # What each shell passes on: bash and zsh the number of the word, fish the word itself.
    last = words.split(" ")[-1]
    number = last if shell == "fish" else str(words.count(" "))
    environment = {"_OPGEN_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": number}
    shown = CliRunner().invoke(opgen, prog_name="opgen", env=environment).output
    offered = {
        "bash": lambda: {line.split(",")[1] for line in shown.splitlines()},
        "zsh": lambda: set(shown.splitlines()[1::3]),
        "fish": lambda: {line.split(",")[1].split("\t")[0] for line in shown.splitlines()},
    }[shell]()
    assert offered == expected
