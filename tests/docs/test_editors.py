"""docs/editors.md: the command that it tells editors to start is one."""

import re
import sys
from pathlib import Path

from opgen.cli.group import VERBS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")


def test_the_commands_are_a_verb():
    (settings,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    server = tomllib.loads(settings)["language-server"]["opgen"]
    assert [server["command"], *server["args"]] == ["opgen", "server"]
    assert 'cmd = { "opgen", "server" }' in PAGE
    assert "server" in VERBS
