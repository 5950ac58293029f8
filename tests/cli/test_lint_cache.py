"""``opgen lint`` and what it remembers."""

import os
import subprocess
import sys

import pytest

HEAVY = ("jinja2", "lark", "opgen.model", "opgen.rules", "rich", "tree_sitter", "yaml")
SCRIPT = f"""
import sys
from opgen.cli import main
try:
    main(sys.argv[1:])
finally:
    sys.stderr.write("imported: " + " ".join(name for name in {HEAVY} if name in sys.modules))
"""


@pytest.fixture
def lint(project, tmp_path):
    """Lint; returns the output, and which of the heavy modules that took."""

    def call(*arguments, **env):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OPGEN_")}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, "lint", *arguments],
            cwd=project,
            env={**environment, "OPGEN_CACHE_DIR": str(tmp_path / "cache"), **env},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        said, _, imported = done.stderr.partition("imported: ")
        return (done.returncode, done.stdout, said), imported.split()

    return call


def test_a_remembered_run_says_the_same_and_imports_neither_parsers_nor_rules(lint, project):
    file = project / "ops.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("x * 2", "x * 2\n    tensor: {}"), encoding="utf-8")
    first, imported = lint()
    assert first[0] == 1
    assert "yaml" in imported
    again, imported = lint()
    assert again == first
    assert imported == []


def test_each_format_shows_what_is_remembered(lint):
    lint()
    for format_ in ("concise", "json", "github", "sarif", "junit"):
        shown, imported = lint("--format", format_)
        assert imported == []
        assert shown == lint("--format", format_, "--no-cache")[0]


def test_no_cache_neither_uses_nor_keeps_results(lint, tmp_path):
    assert "yaml" in lint("--no-cache")[1]
    assert "yaml" in lint(OPGEN_NO_CACHE="1")[1]
    assert not (tmp_path / "cache").exists()
    lint()
    assert "yaml" in lint("--no-cache")[1]
    assert lint()[1] == []


def test_fixes_are_made_of_what_is_found_now(lint):
    lint()
    assert "yaml" in lint("--fix")[1]
