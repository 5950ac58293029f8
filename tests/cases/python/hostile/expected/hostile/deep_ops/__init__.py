"""Operators of `torch.ops.hostile`.

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
    Tensor_,
    _bare,
    a_name_that_is_quite_long_so_that_nothing_fits_on_a_line,
    bare,
    float_,
    lambda_,
    lambda_async,
    mutate,
    words,
)

__all__ = [
    "Tensor_",
    "_bare",
    "a_name_that_is_quite_long_so_that_nothing_fits_on_a_line",
    "bare",
    "float_",
    "lambda_",
    "lambda_async",
    "mutate",
    "words",
]
