"""Writes values as YAML: plain if that is safe, else in double quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

_PLAIN = re.compile(r"[A-Za-z_0-9./](?:[^\x00-\x1f\x7f-\uffff:#]|:(?! |$)|(?<! )#)*(?<!\s)")
_PLAIN_IN_FLOW = re.compile(r"[A-Za-z_][\w.:/]*(?<!:)")


def scalar(text: str) -> str:
    """Return a text as the value of a key on a line of its own."""
    return text if _PLAIN.fullmatch(text) else _quoted(text)


def flow_list(words: Iterable[str]) -> str:
    """Return ``[a, b]``."""
    return f"[{', '.join(map(_word, words))}]"


def flow_mapping(pairs: Mapping[str, str]) -> str:
    """Return ``{a: b}``."""
    return f"{{{', '.join(f'{_word(key)}: {_word(value)}' for key, value in pairs.items())}}}"


def _word(text: str) -> str:
    return text if _PLAIN_IN_FLOW.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
