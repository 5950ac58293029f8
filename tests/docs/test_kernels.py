"""docs/kernels.md: its examples are built and agree with their references, its table is that of the C++ target."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain
from opgen.schema.aliases import is_written
from opgen.schema.parser import parse_schema
from opgen.targets.cpp.types import parameter_type, result_type

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "kernels.md").read_text(encoding="utf-8")
SUPPORT = (PROJECT / "templates" / "cpp" / "support.h.j2").read_text(encoding="utf-8")


def rows(table):
    """Yield each schema type of a table, and the C++ type beside it; several may share one."""
    for line in table.strip().splitlines():
        schemas, types = (re.findall(r"`(.*?)`", cell) for cell in line.strip("|").split("|"))
        yield from zip(schemas, types * len(schemas) if len(types) == 1 else types, strict=True)


TABLES = dict(
    zip(
        ("stable", "classic"),
        re.findall(r"^\| schema \| parameter \|\n.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE),
        strict=True,
    )
)
ROWS = [(abi, schema, cpp) for abi, table in TABLES.items() for schema, cpp in rows(table)]


@pytest.mark.parametrize(("abi", "schema", "cpp"), ROWS, ids=[f"{abi}: {schema}" for abi, schema, _ in ROWS])
def test_the_tables_name_the_type_of_each_parameter(abi, schema, cpp):
    if schema.startswith("->"):
        (result,) = parse_schema(f"f() {schema}").schema.returns
        assert result_type((result.type,), abi) == cpp
    else:
        (argument,) = parse_schema(f"f({schema} x) -> ()").schema.arguments
        assert parameter_type(argument.type, abi, written=is_written(argument)) == cpp


def test_the_tables_have_every_type():
    words = {abi: set(re.findall(r"[A-Z]?[A-Za-z]{2,}", " ".join(s for a, s, _ in ROWS if a == abi))) for abi in TABLES}

    assert words["stable"] == {
        *("Tensor", "int", "SymInt", "float", "bool", "str"),
        *("ScalarType", "Layout", "MemoryFormat", "Device", "Generator"),
    }
    assert words["classic"] - words["stable"] == {"Scalar", "complex", "SymBool", "Stream", "Storage", "Dict"}


def test_every_helper_of_kernels_is_on_the_page():
    public = re.sub(r"namespace detail \{.*?\n\}  // namespace detail", "", SUPPORT, flags=re.DOTALL)
    names = set(re.findall(r"^(?:inline )?(?:[\w:<>]+|decltype\(auto\)) (\w+)\(", public, re.MULTILINE))
    names |= set(re.findall(r"^(?:class|struct|using) (\w+) (?:\{|= std)", public, re.MULTILINE))

    assert names >= {"dispatch", "widen", "parallel_for", "empty", "Rows", "accumulate_t"}
    assert {name for name in names if not re.search(rf"\b{name}\b", PAGE, re.IGNORECASE)} <= {"kernel_not_written"}


@pytest.mark.compile
@pytest.mark.usefixtures("unoptimised")
@pytest.mark.torch
def test_its_examples_are_compiled_and_agree_with_their_references(tmp_path):
    if not isinstance(find_toolchain(None, (2, 10)), Toolchain):
        pytest.skip("no C++ compiler, ninja or torch to build with")
    for name, text in re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "opgen", "build"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    called = re.findall(r"^mylib::(\w+) .* (?:compiled, )?tested$", done.stdout, re.MULTILINE)
    assert [name for name in called if name != "halve"] == [  # which takes Triton, and a GPU
        "gated",
        "order",
        "positive",
        "quantise",
        "rms",
        "softsign",
    ]
