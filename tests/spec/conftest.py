"""What the tests of this folder share."""

import pytest

from opgen.spec.load import load_library


def lines_of(diagnostics):
    """Write each finding as ``line:column CODE message | help``."""
    lines = []
    for found in diagnostics:
        place = found.location.start
        lines.append(f"{place.line}:{place.column} {found.code.id} {found.message} | {found.help}")
    return lines


def assert_found(diagnostics, expected):
    """Each expectation is ``place CODE word word …``, all of them in one finding, and there are no other findings.

    The code may be cut short where it is that of another room.
    """
    lines = lines_of(diagnostics)
    assert len(lines) == len(expected), lines
    for line, wanted in zip(lines, expected, strict=True):
        place, code, *words = wanted.split(" ")
        assert line.startswith(f"{place} {code}"), lines
        for word in words:
            assert word in line, lines


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Return a function that loads a text as ``ops.yaml``, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(text, **others):
        for name, content in {"ops.yaml": text, **others}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="")
        return load_library(tmp_path / "ops.yaml")

    return run


@pytest.fixture
def found():
    """Return the check of findings against expectations."""
    return assert_found
