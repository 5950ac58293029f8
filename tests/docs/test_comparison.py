"""docs/comparison.md and README.md: their figures are those that were measured, and those of the pages that they name."""

import json
import os
import re
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "comparison.md"
README = PROJECT / "README.md"
PEERS = {
    "calls": ["by hand", "custom_op", "register_autograd"],
    "figures": ["torchgen's parse_native_yaml", 'python -c "import torch"', "the first opgen build"],
}


@pytest.mark.parametrize("figures", PEERS)
def test_a_table_is_that_of_the_figures(figures, monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT))
    as_peers = import_module("benchmarks.table").as_peers
    document = json.loads((PROJECT / f"benchmarks/{figures}.json").read_text(encoding="utf-8"))
    table = f"<!-- {figures} -->\n\n{as_peers(document, PEERS[figures])}\n<!-- end -->"
    assert set(PEERS[figures]) <= {row.get("peer") for row in document["rows"]}
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        text = PAGE.read_text(encoding="utf-8")
        pattern = rf"<!-- {figures} -->.*?<!-- end -->"
        PAGE.write_text(re.sub(pattern, lambda _: table, text, flags=re.DOTALL), encoding="utf-8")
    assert table in PAGE.read_text(encoding="utf-8")


def words_of(path):
    return " ".join(path.read_text(encoding="utf-8").split())


@pytest.mark.parametrize("file", [PAGE, README], ids=["comparison", "readme"])
def test_what_is_counted_is_what_the_other_pages_count(file):
    page = words_of(file)
    findings = (PROJECT / "docs" / "findings.md").read_text(encoding="utf-8")
    parity = (PROJECT / "docs" / "aten-parity.md").read_text(encoding="utf-8")
    schemas, repositories = re.search(
        r"the ([\d,]+) schemas that (\d+) public repositories register", findings
    ).groups()
    errors, warnings = re.search(r"^\| all \| (\d+) \| (\d+) \|", findings, re.MULTILINE).groups()
    cells, equal, differ = re.search(
        r"^(\d+) cells on each ABI: (\d+) equal, (\d+) differ", parity, re.MULTILINE
    ).groups()
    assert f"In the {schemas} schemas that {repositories} public repositories register" in page
    assert f"the linter finds {errors} errors and {warnings} warnings" in page
    assert re.search(rf"in {equal}\b.* and differ on purpose in {differ}\b", page)
    assert re.search(rf"\b{cells}\b", page)


def test_the_readme_has_the_figures_of_the_table():
    rows = {}
    for name in PEERS:
        for row in json.loads((PROJECT / f"benchmarks/{name}.json").read_text(encoding="utf-8"))["rows"]:
            if "our_median" in row:  # else this machine could not measure it
                rows[row["what"], row["peer"]] = row["our_median"], row["peer_median"]
    no_grad, by_hand = rows["call: in-place, no_grad, stable ABI", "by hand"]
    grad, _ = rows["call: in-place, grad mode, stable ABI", "by hand"]
    _, custom = rows["call: in-place, no_grad, stable ABI", "custom_op"]
    lint, torch = rows["lint ten ops", 'python -c "import torch"']
    again, _ = rows["lint ten ops, unchanged", 'python -c "import torch"']
    page = words_of(README)
    assert f"costs {no_grad:.2f} µs without gradients and {grad:.2f} µs with them" in page
    assert f"the same operator costs {by_hand:.2f} µs; with `torch.library.custom_op`, {custom:.2f} µs" in page
    assert f"takes {lint:.3f} s, or {again:.3f} s if nothing has changed; `import torch` takes {torch:.3f} s" in page
