"""Generates the JSON Schema of ``ops.yaml``, for editors, from the tables that the loader uses.

It covers keys, types and words; the contents of texts are checked by `opgen lint`. It only uses keywords that draft-07,
which every editor supports, has in common with 2020-12.
"""

from __future__ import annotations

from typing import Any

from opgen.spec.forms import Json
from opgen.spec.library_keys import DEFAULTS_KEY, INCLUDED_KEYS, OPS_KEY
from opgen.spec.tables import DEFAULTS_TABLE, LIBRARY_TABLE, OP_TABLE


def json_schema() -> Json:
    """Return one schema for main and included files; a file with a key that only main files have is a main file."""
    library: dict[str, Any] = dict(LIBRARY_TABLE.json)
    properties = dict(library["properties"])
    properties[OPS_KEY.name] = {**properties[OPS_KEY.name], "items": OP_TABLE.json}
    properties[DEFAULTS_KEY.name] = {**DEFAULTS_TABLE.json, **properties[DEFAULTS_KEY.name]}
    of_main_file = [key.name for key in LIBRARY_TABLE.keys if key not in INCLUDED_KEYS]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "opgen",
        "description": "A library of PyTorch operators: ops.yaml, or a file that it includes",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "if": {"anyOf": [{"required": [name]} for name in of_main_file]},
        "then": {"required": library["required"]},
    }
