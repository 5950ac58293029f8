"""The schemas that PyTorch itself ships with: no errors but the true ones that docs/findings.md explains."""

import re
import sys
from pathlib import Path

import pytest

from opgen.diagnostics import Severity
from opgen.readers.cpp import read_cpp
from opgen.readers.live import read_live
from opgen.rules.registrations.registry import judge_registrations
from opgen.rules.registrations.schemas import CORE_MAY
from opgen.source import Source

PAGE = Path(__file__).resolve().parents[2] / "docs/findings.md"
CORE = ("aten", "prim", "prims")


def explained(heading):
    """Return the rows of the table below a heading of the page, the first two cells of each."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")
    table = re.search(r"^\|.*\n\| ?-.*\n((?:\|.*\n)+)", rest, re.MULTILINE)[1]
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines()]
    return {row[0].strip("`"): row[1].replace(r"\|", "|") for row in rows}


def errors(registrations):
    """Return the errors as ``namespace::op: rule``, without overloads."""
    found = judge_registrations(registrations)
    return {f"{one.op.partition('.')[0]}: {one.code.name}" for one in found if one.severity is Severity.ERROR}


def defined(schemas):
    """Read schemas, each with its namespace, as C++ would define them."""
    blocks = "".join(
        f"TORCH_LIBRARY_FRAGMENT({namespace}, m) {{\n{definitions}}}\n"
        for namespace in CORE
        if (definitions := "".join(f'  m.def(R"({one})");\n' for of, one in schemas if of == namespace))
    )
    return read_cpp([Source("core.cpp", blocks)], {})


def test_the_page_lists_the_profile():
    assert explained("The profile of ATen's namespaces") == CORE_MAY


def test_the_yaml_of_aten_has_only_errors_that_are_explained():
    yaml = pytest.importorskip("yaml")
    torchgen = pytest.importorskip("torchgen")
    path = Path(torchgen.__path__[0], "packaged/ATen/native/native_functions.yaml")
    functions = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    found = errors(defined([("aten", one["func"]) for one in functions]))
    assert set() < found <= explained("True errors in PyTorch").keys()


@pytest.mark.torch
def test_a_live_dispatcher_has_only_errors_that_are_explained():
    pytest.importorskip("torch")
    live = read_live([], namespaces=CORE, python=sys.executable)
    assert len(live.definitions) > 3000
    assert set() < errors(live) <= explained("True errors in PyTorch").keys()


@pytest.mark.torch
def test_operators_of_torchscript_have_no_errors_but_that_of_type_variables():
    torch = pytest.importorskip("torch")
    schemas = [str(one).partition("::") for one in torch._C._jit_get_all_schemas()]
    readable = []
    for namespace, _, schema in schemas:
        try:
            torch._C.parse_schema(schema, allow_typevars=False)
        except RuntimeError:
            continue  # `m.def` takes no type variables, as in `t[] self`
        readable.append((namespace, schema))
    found = errors(defined(readable))
    found = {one for one in found if not one.endswith(": reserved-namespace")}  # TorchScript itself owns `prim`
    assert len(readable) > 3500
    assert set() < found <= explained("True errors in PyTorch").keys()
