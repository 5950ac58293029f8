"""The JSON Schema of ops.yaml: current, valid, takes what the loader takes, and refuses wrong keys, types and words."""

import json
import os
import re
from pathlib import Path

import pytest

from opgen.rules import all_codes
from opgen.source import Source
from opgen.spec import codes
from opgen.spec.dispatch_form import KERNEL_TABLE
from opgen.spec.json_schema import json_schema
from opgen.spec.tables import LIBRARY_TABLE, OP_TABLE
from opgen.spec.tests_form import TESTS_TABLE
from opgen.spec.yaml import Mapping, Sequence
from opgen.spec.yaml.composer import compose

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs/schemas/ops.schema.json"
VALIDATORS = [jsonschema.Draft7Validator(json_schema()), jsonschema.Draft202012Validator(json_schema())]
FILES = [
    *(ROOT / "ops.yaml", *ROOT.glob("ops/*.yaml"), *ROOT.glob("examples/**/ops.yaml")),
    *(ROOT / "tests/cases/valid").rglob("*.yaml"),
    *(ROOT / f"tests/cases/{name}/ops.yaml" for name in ("faults", "kernels", "wide", "docs")),
    *(ROOT / "tests/cases/cpp").glob("*/ops.yaml"),
    *(ROOT / "tests/cases/python").glob("*/ops.yaml"),
]
KEYS = [(table, key) for table in (LIBRARY_TABLE, OP_TABLE, KERNEL_TABLE, TESTS_TABLE) for key in table.keys]
STRUCTURAL = {"unknown-key", "wrong-type", "bad-value", "duplicate-name"}
HEAD = "opgen: 1\nnamespace: lib\n"
OP = f"{HEAD}ops:\n  - func: f(Tensor x) -> ()\n"
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def as_json(node):
    """What an editor makes of YAML, by the core schema of YAML 1.2."""
    if isinstance(node, Mapping):
        return {pair.key.text.value: as_json(pair.value) for pair in node.pairs}
    if isinstance(node, Sequence):
        return [as_json(item) for item in node.items]
    value = node.text.value
    if node.plain and value in {"", "~", "null"}:
        return None
    if node.plain and value in {"true", "false"}:
        return value == "true"
    if node.plain and _NUMBER.fullmatch(value):
        return float(value) if re.search("[.eE]", value) else int(value)
    return value


def errors(text):
    """The errors of either draft; both have the same."""
    document = as_json(compose(Source("ops.yaml", text))[0])
    first, second = ([error.message for error in each.iter_errors(document)] for each in VALIDATORS)
    assert first == second
    return first


def test_the_committed_file_is_up_to_date():
    text = json.dumps(json_schema(), indent=2) + "\n"
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        FILE.write_text(text, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == text


def test_it_is_valid_as_draft_7_and_as_2020_12():
    for validator in VALIDATORS:
        validator.check_schema(json_schema())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_it_takes_what_the_loader_takes(path):
    assert not errors(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("table", "key"), KEYS, ids=[f"{table.what}: {key.name}" for table, key in KEYS])
def test_it_takes_the_example_of_each_key(table, key):
    document = as_json(compose(Source("ops.yaml", f"{key.name}: {key.example}\n"))[0])
    for draft in (jsonschema.Draft7Validator, jsonschema.Draft202012Validator):
        assert not list(draft(key.form.json).iter_errors(document[key.name]))
        assert list(draft({**table.json, "required": []}).iter_errors({f"{key.name}x": document[key.name]}))


@pytest.mark.parametrize(
    "code", [code for code in all_codes() if code.name in STRUCTURAL and code.bad], ids=lambda code: code.name
)
def test_it_refuses_what_has_a_wrong_form(code):
    assert errors(code.bad.text)
    assert not errors(code.good.text)


def test_the_codes_of_wrong_forms_exist():
    assert {code.name for code in vars(codes).values() if hasattr(code, "bad")} >= STRUCTURAL


@pytest.mark.parametrize(
    "text",
    [
        "opgen: 1\n",
        "namespace: lib\n",
        "package: lib\nops: []\n",
        f"{HEAD}opgen: 2\n".replace("opgen: 1\n", ""),
        f"{HEAD}torch: 2.10\n",
        f"{HEAD}abi: stabel\n",
        f"{HEAD}tag_out: 1\n",
        f"{HEAD}ops: {{}}\n",
        f"{HEAD}ops: [f() -> ()]\n",
        f"{HEAD}ops:\n  - doc: Text.\n",
        f"{HEAD}defaults: {{func: f() -> ()}}\n",
        f"{HEAD}dtypes: {{8: int8}}\n",
        f"{OP}    doc: [a]\n",
        f"{OP}    doc:\n",
        f"{OP}    tensors: {{x: [n]}}\n",
        f'{OP}    tensors: {{return.x: "int8 [n]"}}\n',
        f"{OP}    checks: n > 0\n",
        f"{OP}    checks: [{{n > 0: [message]}}]\n",
        f"{OP}    dispatch: cpp\n",
        f"{OP}    dispatch: {{GPU: cuda}}\n",
        f"{OP}    dispatch: {{CPU: c}}\n",
        f"{OP}    dispatch: {{CPU: {{symbol: f}}}}\n",
        f"{OP}    dispatch: {{CPU: {{kernel: cpp, sumbol: f}}}}\n",
        f"{OP}    registered: ../a.cpp\n",
        f"{OP}    registered: /a.cpp\n",
        f"{OP}    autogen: [a b]\n",
        f'{OP}    alias_safe: "true"\n',
        f"{OP}    autograd: nothing\n",
        f"{OP}    autograd: {{x y: grad}}\n",
        f"{OP}    tests: {{sizes: {{n: [a b]}}}}\n",
        f"{OP}    tests: {{tolerance: {{bf16: [0, 0]}}}}\n",
        f"{OP}    tests: {{tolerance: {{bfloat16: [0]}}}}\n",
        f"{OP}    tests: {{samples: rows}}\n",
        f"{OP}    tests: {{xfail: {{test_all: why}}}}\n",
    ],
)
def test_it_refuses_what_the_loader_refuses(load, text):
    assert load(text).diagnostics
    assert errors(text)


def test_an_included_file_needs_no_head():
    assert not errors("defaults: {autograd: none}\nops:\n  - func: f() -> ()\n")
