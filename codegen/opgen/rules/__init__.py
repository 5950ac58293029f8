"""The lint rules, one in each file: a ``Code`` with its page and examples, and a function that checks one op."""

from opgen.rules.registry import all_codes, all_rules, run_rules
from opgen.rules.rule import Rule

__all__ = ["Rule", "all_codes", "all_rules", "run_rules"]
