"""Operators of `torch.ops.acme`.

The import defines them, opens the compiled library and registers what tracing needs, in this order.
"""

from . import _library

if _library.is_torch_new_enough():
    _library.load()
    from . import _fakes as _fakes
    from . import _transforms as _transforms
    from . import _vmap as _vmap
    from . import layers as layers

from .ops import (
    add_,
    add_out,
    positive,
    rms_norm,
    scaled,
    silu_and_mul,
    total,
    version,
)

__all__ = [
    "add_",
    "add_out",
    "positive",
    "rms_norm",
    "scaled",
    "silu_and_mul",
    "total",
    "version",
]
