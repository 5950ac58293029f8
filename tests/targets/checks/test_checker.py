"""The checker of the fakes and that of the kernels are the same list of checks."""

import re

from opgen.targets.templates import templates_folder

NOT_ON_FAKES = {"aligned", "in_range", "offsets", "permutation"}  # a fake tensor has neither address nor elements


def test_both_checkers_have_the_same_methods_in_the_same_order():
    python = (templates_folder() / "python" / "checks.py.j2").read_text().partition("    def _check(")[0]
    cpp = (
        (templates_folder() / "cpp" / "checks" / "checker.h.j2")
        .read_text()
        .partition("class Checker {")[2]
        .partition(" private:")[0]
    )
    methods = re.findall(r"^  (?:void|int64_t) (\w+)\(", cpp, re.MULTILINE)
    assert re.findall(r"^    def ([a-z]\w*)\(", python, re.MULTILINE) == [m for m in methods if m not in NOT_ON_FAKES]
    assert len(methods) > len(NOT_ON_FAKES)
