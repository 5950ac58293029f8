"""Whatever a file holds, reading it yields findings: no exception, and every finding can be printed."""

import os
import random
import re
from pathlib import Path

import pytest

from opgen.diagnostics.formats import FORMATS
from opgen.spec.load import load_library

VALID = sorted((Path(__file__).parents[1] / "cases" / "valid").glob("*.yaml"))
PIECES = [
    *"[]{},:#&*!|>'\"%@`-?\t\n \\\0\x1b\u202e\ufeffé日",
    "<<: ",
    "- ",
    "---\n",
    "&a ",
    "*a",
    "null",
    "[[[[",
    ": {",
    "\r\n",
]
SEEDS = range(int(os.environ.get("OPGEN_FUZZ_SEEDS", "60")))


def damaged(text, seed):
    generator = random.Random(seed)  # noqa: S311 - nothing secret
    for _ in range(generator.randint(1, 4)):
        start = generator.randint(0, len(text))
        end = start + generator.choice([0, 0, 1, 1, 5, 40])
        other = generator.randint(0, len(text))
        middle = generator.choice([generator.choice(PIECES), "", text[other : other + generator.randint(1, 60)]])
        text = text[:start] + middle + text[end:]
    return text


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_a_damaged_file_is_read_without_an_exception_and_its_findings_have_places_in_it(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    target = tmp_path / "ops.yaml"
    for seed in SEEDS:
        target.write_text(damaged(text, seed), encoding="utf-8", newline="")
        found = load_library(target).diagnostics
        for name in FORMATS:
            assert FORMATS[name](found) or not found
        for diagnostic in found:
            start, end = diagnostic.location.span
            assert 0 <= start <= end <= len(diagnostic.location.source.text)


def test_random_bytes_are_read_without_an_exception(tmp_path):
    target = tmp_path / "ops.yaml"
    for seed in SEEDS:
        generator = random.Random(seed)  # noqa: S311 - nothing secret
        target.write_bytes(generator.randbytes(generator.randint(1, 200)))
        assert load_library(target).diagnostics


@pytest.mark.skipif("OPGEN_CASES" not in os.environ, reason="OPGEN_CASES names no folder of real declarations")
def test_declarations_of_real_kinds_of_ops_load_without_a_finding(load):
    page = Path(os.environ["OPGEN_CASES"], "real_ops.yaml.md").read_text(encoding="utf-8")
    result = load("".join(re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)))

    assert len(result.library.ops) > 30
    assert not result.diagnostics
