"""docs/packaging.md shows the files of examples/; docs/audit.md names every code and every key."""

import json
import re
from pathlib import Path

import pytest

from opgen.audit import codes
from opgen.audit.artifact import Artifact
from opgen.audit.binary import Binary
from opgen.audit.show import json_object
from opgen.diagnostics import Code

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/packaging.md").read_text(encoding="utf-8")
AUDIT = (ROOT / "docs/audit.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```\w+ example=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("path", "text"), SHOWN, ids=[path for path, _ in SHOWN])
def test_what_is_shown_is_what_the_examples_hold(path, text):
    assert text == (ROOT / "examples" / path).read_text(encoding="utf-8")


def test_the_page_names_every_code():
    ids = {code.id for code in vars(codes).values() if isinstance(code, Code)} - {"OPG861"}
    assert set(re.findall(r"OPG\d+", AUDIT)) == ids


def test_the_page_names_every_key():
    binary = Binary("lib.so", "x86_64", (), (), (), {})
    record = json.loads(json_object(Artifact("lib.so", (binary,)), []))
    keys = set(re.findall(r"`(\w+)`", AUDIT.partition("## For programs")[2]))
    assert set(record) | set(record["binaries"][0]) <= keys


def test_links_lead_somewhere():
    for page in (PAGE, AUDIT):
        for target in re.findall(r"\]\(([^)#:]+\.md)", page):
            assert (ROOT / "docs" / target).is_file() or target == "build-systems.md"
