from __future__ import annotations

from dataclasses import replace

import pytest

from opgen.model.build import build_op
from opgen.model.tensors import TensorContract
from opgen.schema.parser import parse_schema
from opgen.source import Source, Span, Text
from opgen.source.text import Location
from opgen.spec.language import parse_condition
from opgen.spec.library import LibrarySpec, OpSpec


@pytest.fixture(scope="session")
def expression():
    """Read an expression of the language of tensors."""

    def read(text):
        node, problems = parse_condition(Text.of(text))
        assert not problems
        return node

    return read


@pytest.fixture(scope="session")
def make_op():
    """Make an op of a schema and a plan that is written by hand."""

    def make(func, steps=(), outputs=(), packs=()):
        schema = parse_schema(func).schema
        spec = OpSpec(func=Text.of(func), schema=schema, location=Location(Source("ops.yaml", func), Span(0, 0)))
        library = LibrarySpec("ops.yaml", ("ops.yaml",), 1, Text.of("mylib"), "mylib_ops")
        op, _ = build_op(spec, library)
        return replace(
            op, tensors=TensorContract(tuple(steps), {spec.output: spec for spec in outputs}, frozenset(packs))
        )

    return make
