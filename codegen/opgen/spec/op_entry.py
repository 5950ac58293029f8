"""Reads one entry of ``ops``, from its mapping to an ``OpSpec``."""

from __future__ import annotations

import re
from dataclasses import replace

from opgen.diagnostics import Diagnostic
from opgen.diagnostics.diagnostic import Note
from opgen.records import dataclass
from opgen.schema.nodes import FunctionSchema
from opgen.schema.parser import check_schema
from opgen.source import Location, Span, Text
from opgen.spec import op_keys as keys
from opgen.spec.fields import Fields
from opgen.spec.library import OpSpec, TestSettings
from opgen.spec.report import Report
from opgen.spec.tables import OP_TABLE
from opgen.spec.yaml import Mapping, Node, Scalar

_NAME_OF_CALL = re.compile(r"\s*((?:\w+::)?\w+(?:\.\w+)?)\s*\(")
_COMMENT = re.compile(r"[ \t]+(#)")


@dataclass(frozen=True, slots=True)
class OpContext:
    """The settings of the library that apply to an entry: namespace, opaque types and the ``defaults`` of its file."""

    namespace: str
    opaque_types: frozenset[str]
    defaults: Fields | None


def read_op(node: Node, context: OpContext, diagnostics: list[Diagnostic]) -> OpSpec | None:
    """Read one op and add the diagnostics found; ``None`` if its schema is wrong, though its other keys are checked."""
    report = Report(key="ops")
    if not isinstance(node, Mapping):
        report.wrong_type(node, "a mapping for each op", _missing_func(node))
        diagnostics += report.diagnostics
        return None
    fields = Fields(node, OP_TABLE, report, context.defaults)
    func = fields.get(keys.FUNC_KEY)
    schema = None
    if func is not None:
        schema, found = check_schema(func, context.opaque_types)
        report.diagnostics.extend(_with_comment(found, func))
    fields.read_all()
    name = _name(func, schema, context.namespace)
    diagnostics += [replace(diagnostic, op=name) for diagnostic in report.diagnostics]
    return None if func is None or schema is None else _op_spec(func, schema, fields)


def qualified_name(name: str, namespace: str) -> str:
    """Return a name with the library's namespace, unless it has one itself."""
    return name if "::" in name else f"{namespace}::{name}"


def _name(func: Text | None, schema: FunctionSchema | None, namespace: str) -> str | None:
    """Return the name of the op, also if only the rest of its schema is wrong."""
    if schema is not None:
        return qualified_name(str(schema.name), namespace)
    begun = _NAME_OF_CALL.match(func.value) if func is not None else None
    return qualified_name(begun[1], namespace) if begun else None


def _missing_func(node: Node) -> str:
    is_schema = isinstance(node, Scalar) and "(" in node.text.value
    return "write '- func: ' before the schema" if is_schema else "write '- func: name(Tensor x) -> Tensor'"


def _with_comment(found: list[Diagnostic], func: Text) -> list[Diagnostic]:
    """Add an explanation if a schema ends too early because of a ``#``, which begins a comment in YAML."""
    end = func.locate().span.end
    comment = _COMMENT.match(func.source.text, end)
    if not found or comment is None or func.value.count('"') % 2 == 0:
        return found
    place = Location(func.source, Span(*comment.span(1)))
    note = Note("' #' begins a comment in YAML; put the schema between single quotes", place)
    return [replace(found[0], notes=(*found[0].notes, note)), *found[1:]]


def _registered(fields: Fields) -> Text | None:
    """Return ``registered``; an op with ``dispatch`` of its own does not inherit it from ``defaults``."""
    registered, dispatch = (key.name in fields.written for key in (keys.REGISTERED_KEY, keys.DISPATCH_KEY))
    return None if dispatch and not registered else fields.get(keys.REGISTERED_KEY)


def _op_spec(func: Text, schema: FunctionSchema, fields: Fields) -> OpSpec:
    return OpSpec(
        func=func,
        schema=schema,
        location=fields.node.location,
        keys=fields.written,
        unread=fields.unread,
        doc=fields.get(keys.DOC_KEY),
        tensors=fields.get(keys.TENSORS_KEY) or (),
        checks=fields.get(keys.CHECKS_KEY) or (),
        reference=fields.get(keys.REFERENCE_KEY),
        fake=fields.get(keys.FAKE_KEY),
        dispatch=fields.get(keys.DISPATCH_KEY),
        pointwise=fields.get(keys.POINTWISE_KEY) or (),
        reduce=fields.get(keys.REDUCE_KEY) or (),
        registered=_registered(fields),
        autogen=fields.get(keys.AUTOGEN_KEY) or (),
        overwrites=fields.get(keys.OVERWRITES_KEY) or (),
        scratch=fields.get(keys.SCRATCH_KEY) or (),
        may_overlap=fields.get(keys.MAY_OVERLAP_KEY) or (),
        alias_safe=fields.get(keys.ALIAS_SAFE_KEY) or False,
        resize_out=fields.get(keys.RESIZE_OUT_KEY) or False,
        autograd=fields.get(keys.AUTOGRAD_KEY),
        output_differentiability=fields.get(keys.OUTPUT_DIFFERENTIABILITY_KEY),
        autocast=fields.get(keys.AUTOCAST_KEY),
        vmap=fields.get(keys.VMAP_KEY),
        layers=fields.get(keys.LAYERS_KEY) or {},
        torch_dispatch=fields.get(keys.TORCH_DISPATCH_KEY) or {},
        tags=fields.get(keys.TAGS_KEY) or (),
        side_effects=fields.get(keys.SIDE_EFFECTS_KEY) or False,
        abi=fields.get(keys.ABI_KEY),
        tests=fields.get(keys.TESTS_KEY) or TestSettings(),
    )
