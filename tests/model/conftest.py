"""Ops and contracts from their texts, and plans as the tests and docs/tensors.md write them: one line a step."""

from __future__ import annotations

import json
from itertools import chain

import pytest

from opgen.model.build import build_library
from opgen.model.tensors import (
    BindPack,
    BindSize,
    Check,
    CheckAligned,
    CheckCondition,
    CheckContiguous,
    CheckDevice,
    CheckDeviceAmong,
    CheckDtype,
    CheckNamedDevice,
    CheckPack,
    CheckRank,
    CheckShapes,
    CheckSize,
    CheckStride,
    CheckStridesLike,
    CheckValues,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    Extent,
    OutputForm,
    OutputSpec,
    PackExtent,
    ResolvedDtype,
    SolveSize,
    Step,
)
from opgen.spec.expression import Binary, Constant, Expression, Name
from opgen.spec.load import load_library
from opgen.targets.checks.written import written_dims, written_extent
from opgen.targets.expressions import render_written


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


@pytest.fixture(scope="session")
def plan_lines():
    """Return a function from a tensor contract to the lines of its plan."""

    def run(contract):
        return [*map(describe, contract.steps), *chain.from_iterable(map(describe_output, contract.outputs.values()))]

    return run


def describe(step: Step) -> str:
    """Describe a step: ``check x.size(-1) == 2 * d``, ``if mask: bind m = mask.size(0)``."""
    conditions = [*step.given, *(render_written(condition) for condition in step.when)]
    guard = f"if {' and '.join(conditions)}: " if conditions else ""
    return guard + _check(step.check, each=step.each)


def describe_output(form: OutputForm) -> list[str]:
    """Describe how an output is made, a line for each way: ``make out: x.dtype [*batch, d] on x``."""
    name = next(spec.output for _, spec in form.cases if spec is not None)
    return [_way(name, when, spec) for when, spec in form.cases]


def _way(name: str, when: tuple[Expression, ...], spec: OutputSpec | None) -> str:
    guard = f"if {' and '.join(map(render_written, when))}: " if when else ""
    return guard + (f"leave out {name}" if spec is None else _output(spec))


def _output(spec: OutputSpec) -> str:
    text = f"make {spec.output}: {_dtype(spec.dtype)} {written_dims(spec)}"
    if spec.strides is not None:
        text += f" strides[{', '.join(map(render_written, spec.strides))}]"
    elif spec.strides_of is not None:
        text += f" strides({spec.strides_of})"
    elif spec.memory_format != "contiguous":
        text += f" {spec.memory_format}"
    places = [place for place in (spec.device_argument, spec.device_type or spec.device_of) if place]
    return f"{text} on {' or '.join(places)}" if places else text


def _check(check: Check, *, each: bool) -> str:  # noqa: C901, PLR0911, PLR0912 - one case a check
    if isinstance(check, CheckCondition):
        return f"check {render_written(check.condition)}"
    bound = f"{check.tensor}[0]" if each else check.tensor
    tensor = f"{check.tensor}[each]" if each else check.tensor
    match check:
        case BindSize(name, _, dim, of):
            return f"bind {name} = {bound}.{of}({dim})"
        case BindPack(name, _, lead, trail):
            return f"bind *{name} = {_run(bound, lead, trail)}"
        case SolveSize(name, _, dim, offset, factor):
            size = f"{bound}.size({dim})"
            return f"solve {render_written(_linear(name, offset, factor))} == {size} for {name}"
        case CheckRank(_, rank, exact):
            return f"check {tensor}.dim() {'==' if exact else '>='} {rank}"
        case CheckDtype(_, dtype):
            return f"check {tensor}.dtype {'in' if isinstance(dtype, DtypeSet) else 'is'} {_dtype(dtype)}"
        case CheckDevice(_, like, device_type):
            return f"check {tensor}.device is {device_type if like is None else f'{like}.device'}"
        case CheckDeviceAmong(_, likes, types):
            return f"check {tensor}.device is {' or '.join([*(f'{like}.device' for like in likes), *types])}"
        case CheckNamedDevice(written=written):
            return f"check {tensor}.device is {written}"
        case CheckSize(_, dim, size):
            return f"check {tensor}.size({dim}) == {render_written(size)}"
        case CheckPack(_, lead, trail, pack):
            return f"check {_run(tensor, lead, trail)} == {written_extent(pack)}"
        case CheckShapes(_, shapes):
            return f"check {tensor}.shape is {' or '.join(map(_shape, shapes))}"
        case CheckContiguous(_, memory_format):
            return f"check {tensor} is {memory_format}"
        case CheckStride(_, dim, stride):
            return f"check {tensor}.stride({dim}) == {render_written(stride)}"
        case CheckStridesLike(_, like):
            return f"check {tensor} has the strides of {like}"
        case CheckAligned(_, count):
            return f"check {tensor} is aligned to {count} bytes"
        case CheckValues(written=written):
            return f"on request: check {tensor} is {written}"


def _linear(name: str, offset: Expression | None, factor: Expression) -> Expression:
    product = Name(name) if factor == Constant(1) else Binary("*", factor, Name(name))
    if isinstance(offset, Constant) and isinstance(offset.value, int) and offset.value < 0:
        return Binary("-", product, Constant(-offset.value))
    return product if offset is None else Binary("+", product, offset)


def _run(tensor: str, lead: int, trail: int) -> str:
    return f"{tensor}.shape[{lead or ''}:{-trail or ''}]" if lead or trail else f"{tensor}.shape"


def _dtype(dtype: ResolvedDtype) -> str:
    match dtype:
        case DtypeSet(names):
            return "|".join(names)
        case DtypeLike(tensor):
            return f"{tensor}.dtype"
        case DtypeEither(ties, names):
            return "|".join([*map(_dtype, ties), *names])
        case DtypePromoted(arguments):
            return f"promote({', '.join(arguments)})"
        case DtypeArgument(argument, otherwise):
            return argument if otherwise is None else f"{argument} or {_dtype(otherwise)}"


def _shape(shape: tuple[Extent | PackExtent | None, ...]) -> str:
    return f"[{', '.join('_' if extent is None else written_extent(extent) for extent in shape)}]"
