"""OPG405: an ``int`` argument that is a size, and should be a ``SymInt``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.model.tensors import Extent, OutputExtent, PackExtent
from opgen.rules.registration.missing_fake import undescribed
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.schema.nodes import BaseType, ListType, Type
from opgen.schema.types import is_tensor, is_tensor_list, without_optional
from opgen.source import Span
from opgen.spec.expression import Item, Name
from opgen.spec.walk import walk

CODE = Code(
    id="OPG405",
    name="size-typed-int",
    severity=Severity.WARNING,
    summary="An argument that determines the size of an output is an `int`, not a `SymInt`.",
    why=(
        "`torch.compile` specialises on every `int`: five values of such an argument caused five compilations, where "
        "a `SymInt` needs one (pytorch/pytorch#121080). If `tensors` gives no shape for the outputs, the argument's "
        "name decides whether it is treated as a size."
    ),
    bad=ops_yaml("draw(Tensor weights, int num_samples) -> Tensor"),
    good=ops_yaml("draw(Tensor weights, SymInt num_samples) -> Tensor"),
    remedy="declare it as `SymInt`",
)

_SIZE_WORDS = frozenset(
    {
        "capacity",
        "cols",
        "columns",
        "count",
        "len",
        "length",
        "lengths",
        "num",
        "numel",
        "rows",
        "samples",
        "seqlen",
        "shape",
        "size",
        "sizes",
        "tokens",
    }
)
"""Words by which a name is taken for a size, unless it has one of ``_FIXED_WORDS``."""

_FIXED_WORDS = frozenset(
    {
        "alignment",
        "axis",
        "bins",
        "bit",
        "bits",
        "block",
        "blocks",
        "bucket",
        "buckets",
        "channels",
        "chunk",
        "classes",
        "cp",
        "dim",
        "dims",
        "dtype",
        "element",
        "embeddings",
        "expert",
        "experts",
        "features",
        "group",
        "groups",
        "hash",
        "head",
        "heads",
        "hidden",
        "intermediate",
        "iter",
        "iters",
        "kernel",
        "layers",
        "levels",
        "merge",
        "mesh",
        "model",
        "normalized",
        "pack",
        "page",
        "partitions",
        "patch",
        "ranks",
        "ring",
        "sm",
        "sms",
        "split",
        "splits",
        "stages",
        "steps",
        "swizzle",
        "tables",
        "threads",
        "tile",
        "topk",
        "tp",
        "type",
        "vec",
        "warp",
        "warps",
        "weight",
        "window",
        "workers",
        "world",
    }
)
"""Words by which a value is taken to be chosen once for a model or a kernel."""


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Check the ``int`` arguments of ops with fresh outputs."""
    integers = [(argument, place) for argument in op.schema.arguments if (place := _int_of(argument.type))]
    fresh = [output for output in op.fresh_outputs if is_tensor(output.type) or is_tensor_list(output.type)]
    if not integers or not fresh:
        return
    used = {name for extent in op.tensors.output_extents for name in _names(extent)}
    guesses = op.fake is None and any(output in fresh for output in undescribed(op).values())
    for argument, place in integers:
        if argument.name in used:
            message = f"argument '{argument.name}' is a size of an output, but an int"
        elif guesses and _sounds_like_a_size(argument.name):
            message = f"argument '{argument.name}' sounds like a size, but is an int"
        else:
            continue
        written = op.spec.func.value[slice(*argument.type.span)]
        remedy = f"declare it as `{written.replace('int', 'SymInt')} {argument.name}`"
        fix = schema_fix(op, f"declare '{argument.name}' as SymInt", (place, "SymInt"), applicability="unsafe")
        yield finding(CODE, op, f"{message}: every value compiles anew", place, help=remedy, fix=fix)


def _int_of(type_: Type) -> Span | None:
    inner = without_optional(type_)
    element = inner.element if isinstance(inner, ListType) else inner
    return element.span if isinstance(element, BaseType) and element.name == "int" else None


def _names(extent: OutputExtent) -> Iterator[str]:
    """Yield the names in the size of an output's dim."""
    if isinstance(extent, Extent):
        yield from (node.name for node in walk(extent.size) if isinstance(node, Name | Item))
    elif isinstance(extent, PackExtent) and extent.is_argument:
        yield extent.name


def _sounds_like_a_size(name: str) -> bool:
    words = set(name.lower().split("_"))
    return bool(words & _SIZE_WORDS) and not words & _FIXED_WORDS


RULE = Rule(CODE, check, reads=frozenset({"tensors", "fake"}))
