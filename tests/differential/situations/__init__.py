"""Situations in which every form is called; each is a row of `docs/aten-parity.md`."""

from . import gradients, memory, tracing, transforms, values, writes
from .situation import Situation

__all__ = ["SECTIONS"]

SECTIONS: dict[str, tuple[Situation, ...]] = {
    module.__doc__.partition("\n")[0].rstrip("."): tuple(module.SITUATIONS)
    for module in (writes, gradients, memory, values, tracing, transforms)
}
