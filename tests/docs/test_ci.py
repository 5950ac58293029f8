"""The page about continuous integration: its YAML is YAML, and its commands and hooks exist."""

import itertools
import re
from pathlib import Path

import pytest
import yaml

from opgen.cli.group import opgen

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs/ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = sorted(set(re.findall(r"\bopgen ((?:fmt|lint|generate)[^`\n>#]*)", PAGE)))


@pytest.mark.parametrize(("name", "text"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_a_file_of_the_page_is_valid_yaml(name, text):
    document = yaml.safe_load(text)
    assert isinstance(document, dict), name
    for job in document.get("jobs", {}).values():
        assert all(step.keys() & {"uses", "run"} for step in job["steps"])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_exists(command):
    verb, *words = command.split()
    parameters = opgen.get_command(None, verb).params
    options = {name: parameter for parameter in parameters for name in parameter.opts}
    assert [word for word in words if word.startswith("-") and word not in options] == []
    for option, value in itertools.pairwise(words):
        if option == "--format":
            assert value in options[option].type.choices


def test_the_hooks_of_the_page_are_those_of_the_project():
    hooks = {hook["id"] for hook in yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    (config,) = (yaml.safe_load(text) for name, text in BLOCKS if name == ".pre-commit-config.yaml")
    assert {hook["id"] for hook in config["repos"][0]["hooks"]} == hooks
