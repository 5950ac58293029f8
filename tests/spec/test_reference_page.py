"""The reference page says what the loader does: it is written from the loader's tables, and its examples are read."""

import os
from pathlib import Path

import pytest

from opgen.source import Source
from opgen.spec.dispatch_form import KERNEL_TABLE
from opgen.spec.reference import render_reference
from opgen.spec.report import Report
from opgen.spec.tables import LIBRARY_TABLE, OP_TABLE
from opgen.spec.tests_form import TESTS_TABLE
from opgen.spec.yaml.composer import compose

PAGE = Path(__file__).parents[2] / "docs" / "ops-yaml.md"
KEYS = [(table, key) for table in (LIBRARY_TABLE, OP_TABLE, KERNEL_TABLE, TESTS_TABLE) for key in table.keys]


def test_the_page_is_up_to_date():
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        PAGE.write_text(render_reference(), encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == render_reference()


@pytest.mark.parametrize(("table", "key"), KEYS, ids=[f"{table.what}: {key.name}" for table, key in KEYS])
def test_the_example_of_a_key_is_read_without_a_finding(table, key):
    root, found = compose(Source("ops.yaml", f"{key.name}: {key.example}\n"))
    report = Report(found, key.name)

    assert key.form.read(root.pairs[0].value, report) is not None
    assert not report.diagnostics
    assert table.names.count(key.name) == 1
    assert key.meaning.endswith(".")


def test_the_first_example_of_the_page_is_a_library_without_a_finding(load):
    text = render_reference().split("```yaml\n", 1)[1].split("```", 1)[0]

    assert not load(text).diagnostics
