"""docs/format.md: what its first examples become is what stands below them."""

import re
from pathlib import Path

import pytest

from opgen.build.fmt.run import format_source
from opgen.source import Source

PAGE = Path(__file__).parents[2] / "docs" / "format.md"
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
PAIRS = list(zip(EXAMPLES[::2], EXAMPLES[1::2], strict=True))


@pytest.mark.parametrize(("written", "canonical"), PAIRS)
def test_an_example_becomes_the_one_below_it(written, canonical):
    formatted, found = format_source(Source("ops.yaml", written))

    assert not found
    assert formatted.text == canonical
    assert not format_source(Source("ops.yaml", canonical))[0].is_changed
