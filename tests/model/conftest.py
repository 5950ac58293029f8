import json

import pytest

from opgen.model.build import build_library
from opgen.spec.load import load_library


@pytest.fixture
def build_op(tmp_path, monkeypatch):
    """Return a function from the parts of one op to the op and the findings in its tensor contract."""
    monkeypatch.chdir(tmp_path)

    def run(func, tensors, checks=(), **keys):
        entry = {"func": func, "tensors": tensors, "checks": list(checks), **keys}
        library = {"opgen": 1, "namespace": "mylib", "abi": "classic", "dtypes": {"half": "float16|bfloat16"}}
        path = tmp_path / "ops.yaml"
        path.write_text(json.dumps({**library, "ops": [entry]}), encoding="utf-8")
        loaded = load_library(path)
        assert not loaded.diagnostics, loaded.diagnostics
        built = build_library(loaded.library)
        (op,) = built.library.ops
        return op, list(built.diagnostics)

    return run


@pytest.fixture
def contract_of(build_op):
    """Return a function from the parts of one op without mistakes to its tensor contract."""

    def run(func, tensors, checks=(), **keys):
        op, found = build_op(func, tensors, checks, **keys)
        assert not found, found
        return op.tensors

    return run
