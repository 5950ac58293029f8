"""The operators of `torch.ops.acme` as functions; `ops.pyi` has their types."""

import torch

_add_out = torch.ops.acme.add.out
_add_ = torch.ops.acme.add_.default
_halve = torch.ops.acme.halve.default
_halve_ = torch.ops.acme.halve_.default
_lookup = torch.ops.acme.lookup.default
_positive = torch.ops.acme.positive.default
_scale = torch.ops.acme.scale.default
_twice = torch.ops.acme.twice.default


def add_out(x, y, *, out):
    """Call ``acme::add.out``.

    Args:
        x: float32 [n]
        y: float32 [n]
        out (filled): float32 [n]

    Returns:
        the argument `out`

    Schema:
        acme::add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)
    """
    return _add_out(x, y, out=out)


def add_(x, y, len=None):
    """Call ``acme::add_``.

    Args:
        x (written): float [n]
        y: x.dtype [n]
        len (optional): int64 [n]

    Returns:
        the argument `x`

    Schema:
        acme::add_(Tensor(a!) x, Tensor y, Tensor? len=None) -> Tensor(a!)
    """
    return _add_(x, y, len)


def halve(x):
    """Call ``acme::halve``.

    Args:
        x: float32 [n]

    Returns:
        float32 [n]

    Schema:
        acme::halve(Tensor x) -> Tensor
    """
    return _halve(x)


def halve_(x):
    """Call ``acme::halve_``.

    Args:
        x (written): float32 [n]

    Returns:
        the argument `x`

    Schema:
        acme::halve_(Tensor(a!) x) -> Tensor(a!)
    """
    return _halve_(x)


def lookup(table, keys):
    """Call ``acme::lookup``.

    Args:
        table: Any
        keys: int64 [n]

    Returns:
        float32 [n]

    Schema:
        acme::lookup(acme_types.Table table, Tensor keys) -> Tensor
    """
    return _lookup(table, keys)


def positive(x):
    """Call ``acme::positive``.

    Args:
        x: float32 [n]

    Returns:
        values: float32 [?found <= n]
        places: int64 [?found]

    Schema:
        acme::positive(Tensor x) -> (Tensor values, Tensor places)
    """
    return _positive(x)


def scale(x, by):
    """Call ``acme::scale``.

    Args:
        x: float [*batch, n]
        by: float

    Returns:
        x.dtype [*batch, n]

    Schema:
        acme::scale(Tensor x, float by) -> Tensor
    """
    return _scale(x, by)


def twice(x):
    """Call ``acme::twice``.

    Args:
        x: float32 [n, m]

    Returns:
        float32 [n, m]

    Schema:
        acme::twice(Tensor x) -> Tensor
    """
    return _twice(x)
