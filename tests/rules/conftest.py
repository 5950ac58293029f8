import pytest

from opgen.model.build import build_library
from opgen.rules import run_rules
from opgen.spec.load import load_library


@pytest.fixture
def lint_file(tmp_path, monkeypatch):
    """Return a function from the text of an ops.yaml to all that is found in it, parsing included."""
    monkeypatch.chdir(tmp_path)

    def run(text):
        path = tmp_path / "ops.yaml"
        path.write_text(text, encoding="utf-8")
        loaded = load_library(path)
        assert loaded.library is not None, loaded.diagnostics
        built = build_library(loaded.library)
        return [*loaded.diagnostics, *built.diagnostics, *run_rules(built.library)]

    return run


@pytest.fixture
def lint_op(lint_file):
    """Return a function from the lines of one op to its findings, as ``{code: message and help}``."""

    def run(func, *keys, head=""):
        lines = ["opgen: 1", "namespace: mylib", *filter(None, [head]), "ops:", f"  - func: {func}"]
        found = lint_file("\n".join([*lines, *(f"    {key}" for key in keys)]) + "\n")
        return {diagnostic.code.id: f"{diagnostic.message}; {diagnostic.help}" for diagnostic in found}

    return run
