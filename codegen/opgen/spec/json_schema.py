"""The JSON Schema of ``ops.yaml``, for editors: written from the tables that the loader reads by.

It knows keys, types and words; what the texts say, `opgen lint` checks. Its words are those that draft-07, which every
editor knows, has in common with 2020-12.
"""

from __future__ import annotations

from typing import Any

from opgen.spec.forms import Json
from opgen.spec.library_keys import DEFAULTS_KEY, INCLUDED_KEYS, OPS_KEY
from opgen.spec.tables import DEFAULTS_TABLE, LIBRARY_TABLE, OP_TABLE


def json_schema() -> Json:
    """Return the schema of a main file and of one that it includes, which is told by having no key of a main file."""
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
