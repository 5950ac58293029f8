"""The tables by which schemas are read are those that Lark makes of the grammar."""

import os
import subprocess
import sys

from opgen.schema.grammar import TABLES
from opgen.schema.lark_parser import tables


def test_the_tables_are_those_of_the_grammar():
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        TABLES.write_text(tables(), encoding="utf-8")
    assert TABLES.read_text(encoding="utf-8") == tables()


def test_a_schema_is_read_without_lark():
    code = (
        "import sys; from opgen.schema.parser import parse_schema;"
        "assert parse_schema('f(Tensor(a!) x, Dict(str, int)? y=None) -> (Tensor(a!), ...)').schema;"
        "sys.exit('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
