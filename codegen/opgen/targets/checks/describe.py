"""One line a step: what a plan does, for people."""

from __future__ import annotations

from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
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
    DynamicExtent,
    Extent,
    OutputExtent,
    OutputForm,
    OutputSpec,
    PackExtent,
    ResolvedDtype,
    SolveSize,
    Step,
)
from opgen.spec.expression import Binary, Constant, Expression, Name
from opgen.targets.expressions import render_written


def describe(step: Step) -> str:
    """Describe a step: ``check x.size(-1) == 2 * d``, ``if mask: bind m = mask.size(0)``."""
    conditions = [*step.given, *(render_written(condition) for condition in step.when)]
    guard = f"if {' and '.join(conditions)}: " if conditions else ""
    return guard + _check(step.check, each=step.each)


def describe_output(form: OutputForm) -> list[str]:
    """Describe how an output is made, a line for each way: ``make out: x.dtype [*batch, d] on x``."""
    name = next(spec.output for _, spec in form.ways if spec is not None)
    return [_way(name, when, spec) for when, spec in form.ways]


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


def written_dims(spec: OutputSpec) -> str:
    """Return the dims of an output as its author writes them: ``[*batch, d]``."""
    return f"[{', '.join(map(written_extent, spec.extents))}]"


def written_layout(spec: OutputSpec) -> str:
    """Return the layout of an output, for "expected ..."."""
    if spec.strides is not None:
        return f"strides[{', '.join(map(render_written, spec.strides))}]"
    if spec.strides_of is not None:
        return f"strides({spec.strides_of})"
    return f"a {spec.memory_format} tensor"


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


def written_extent(extent: OutputExtent) -> str:
    """Return an extent as its author writes it: ``2 * d``, ``*batch``, ``?kept <= n``."""
    match extent:
        case Extent(size):
            return render_written(size)
        case PackExtent(name):
            return f"*{name}"
        case BroadcastExtent(packs):
            return f"*broadcast({', '.join(packs)})"
        case DynamicExtent(name, bound):
            return f"?{name}" if bound is None else f"?{name} <= {render_written(bound)}"
