"""One rule a file: a code with its page and examples, and a function that looks at one op."""

from opgen.rules.registry import RULES, all_codes, run_rules
from opgen.rules.rule import Rule

__all__ = ["RULES", "Rule", "all_codes", "run_rules"]
