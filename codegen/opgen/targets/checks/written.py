"""Writes dims and layouts of outputs for messages, in the syntax of ``tensors``."""

from __future__ import annotations

from opgen.model.tensors import BroadcastExtent, DynamicExtent, Extent, OutputExtent, OutputSpec, PackExtent
from opgen.targets.expressions import render_written


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
