"""docs/importing.md: its sources become the file that it shows."""

import re
from pathlib import Path

from click.testing import CliRunner

from opgen.cli.group import opgen

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "importing.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = re.findall(r"^\| `opgen import ([^`]*)`", PAGE, re.MULTILINE)


def run(*words):
    result = CliRunner().invoke(opgen, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def test_the_sources_of_the_page_become_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in ("csrc/ops.cpp", "signals/ops.py"):
        Path(path).parent.mkdir()
        Path(path).write_text(FILES[path], encoding="utf-8")
    (command, printed) = re.search(
        r"^```console\n\$ opgen ([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    ).groups()

    result = run(*command.split())

    assert result.exit_code == 1, result.output
    assert result.stderr == printed
    assert Path("ops.yaml").read_text(encoding="utf-8") == FILES["ops.yaml"]
    assert run("generate").exit_code == 0


def test_every_option_of_the_page_exists():
    options = {name for parameter in opgen.get_command(None, "import").params for name in parameter.opts}
    named = {word for command in COMMANDS for word in command.split() if re.match("--?[A-Za-z]", word)}
    assert named <= options
    assert len(COMMANDS) == 6
