from typing import Any

from torch import Tensor

def add_out(x: Tensor, y: Tensor, *, out: Tensor) -> Tensor:
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

def add_(x: Tensor, y: Tensor, len: Tensor | None = None) -> Tensor:
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

def halve(x: Tensor) -> Tensor:
    """Call ``acme::halve``.

    Args:
        x: float32 [n]

    Returns:
        float32 [n]

    Schema:
        acme::halve(Tensor x) -> Tensor
    """

def halve_(x: Tensor) -> Tensor:
    """Call ``acme::halve_``.

    Args:
        x (written): float32 [n]

    Returns:
        the argument `x`

    Schema:
        acme::halve_(Tensor(a!) x) -> Tensor(a!)
    """

def lookup(table: Any, keys: Tensor) -> Tensor:
    """Call ``acme::lookup``.

    Args:
        table: Any
        keys: int64 [n]

    Returns:
        float32 [n]

    Schema:
        acme::lookup(acme_types.Table table, Tensor keys) -> Tensor
    """

def positive(x: Tensor) -> tuple[Tensor, Tensor]:
    """Call ``acme::positive``.

    Args:
        x: float32 [n]

    Returns:
        values: float32 [?found <= n]
        places: int64 [?found]

    Schema:
        acme::positive(Tensor x) -> (Tensor values, Tensor places)
    """

def scale(x: Tensor, by: float) -> Tensor:
    """Call ``acme::scale``.

    Args:
        x: float [*batch, n]
        by: float

    Returns:
        x.dtype [*batch, n]

    Schema:
        acme::scale(Tensor x, float by) -> Tensor
    """

def twice(x: Tensor) -> Tensor:
    """Call ``acme::twice``.

    Args:
        x: float32 [n, m]

    Returns:
        float32 [n, m]

    Schema:
        acme::twice(Tensor x) -> Tensor
    """
