"""Write down what Lark makes of a grammar. Nothing of a run needs this: tests hold the stored tables to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import lark


def tables(grammar: lark.Lark, starts: Sequence[str], lexis: Mapping[str, Any]) -> str:
    """Return the text that ``opgen.lalr.tables.load`` reads: the tables of a grammar, and what its lexer needs."""
    parser: Any = grammar.parser
    table = parser.parser._parse_table  # noqa: SLF001 - Lark has no public name for it; a test holds the file to it
    # Lark's own numbers are others in each process; these are in the order in which states and rules are met.
    states = {table.start_states[name]: number for number, name in enumerate(starts)}
    rules: dict[Any, int] = {}
    rows = []
    for state in _met(states):
        row = {}
        for symbol, (_, target) in sorted(table.states[state].items()):
            if isinstance(target, int):
                row[symbol] = states.setdefault(target, len(states))
            else:
                row[symbol] = ~rules.setdefault(target, len(rules))
        rows.append(row)
    ends = {name: [states[table.start_states[name]], states[table.end_states[name]]] for name in starts}
    parts = {name: json.dumps(part) for name, part in lexis.items()}
    parts |= {"starts": json.dumps(ends), "rules": _lines(map(_rule, rules)), "states": _lines(rows)}
    return "{\n" + ",\n".join(f'"{name}": {part}' for name, part in parts.items()) + "\n}\n"


def _met(states: dict[Any, int]) -> Iterator[Any]:
    """Yield the states of a table that grows meanwhile."""
    number = 0
    while number < len(states):
        yield list(states)[number]
        number += 1


def _lines(items: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, items)) + "\n]"


def _rule(rule: Any) -> list[Any]:
    name = rule.origin.name
    has_node = bool(rule.alias) or not name.startswith("_")
    row = [name, len(rule.expansion), rule.options.expand1 and not rule.alias, (rule.alias or name) if has_node else ""]
    return row if rule.options.keep_all_tokens else [*row, list(_kept(rule))]


def _kept(rule: Any) -> Iterator[int | None]:
    symbols = enumerate(rule.expansion)
    for is_gap in rule.options.empty_indices or [False] * len(rule.expansion):
        if is_gap:
            yield None
            continue
        place, symbol = next(symbols)
        if not (symbol.is_term and symbol.filter_out):
            yield place
