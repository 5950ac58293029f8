from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

def Tensor_(x: Tensor, torch_: int = 1, torch: torch.dtype = torch.float32, float: int | Sequence[int] = 1) -> Tensor:
    """Call ``hostile::Tensor``.

    Args:
        x: float32 [n]
        torch_: int
        torch: torch.dtype
        float: int | Sequence[int]

    Requires:
        float[0] > 0
        torch in (float32, float64)

    Returns:
        torch [n]

    Schema:
        hostile::Tensor(Tensor x, int torch_=1, ScalarType torch=float32, int[2] float=1) -> Tensor
    """

def _bare(x: Tensor) -> Tensor:
    """Call ``hostile::_bare``.

    Args:
        x: Tensor

    Returns:
        Tensor

    Schema:
        hostile::_bare(Tensor x) -> Tensor
    """

def a_name_that_is_quite_long_so_that_nothing_fits_on_a_line(
    a_first_argument_with_a_name: Tensor,
    a_second_argument_with_a_name: Tensor,
    a_third_argument_with_a_name: int,
) -> Tensor:
    """Call ``hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line``.

    Args:
        a_first_argument_with_a_name: float [n, a_third_argument_with_a_name]
        a_second_argument_with_a_name: float64 [_, m]
        a_third_argument_with_a_name: int

    Requires:
        a_third_argument_with_a_name > 0 and a_third_argument_with_a_name % 16 == 0 or a_third_argument_with_a_name == 8

    Returns:
        float32 [n * a_third_argument_with_a_name, ceil(m/a_third_argument_with_a_name)]

    Schema:
        hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line(Tensor a_first_argument_with_a_name, Tensor a_second_argument_with_a_name, SymInt a_third_argument_with_a_name) -> Tensor
    """

def bare(x: Tensor) -> Tensor:
    """Call ``hostile::bare``.

    Args:
        x: Tensor

    Returns:
        Tensor

    Schema:
        hostile::bare(Tensor x) -> Tensor
    """

def float_(x: Tensor, eps: float = 1.0) -> Tensor:
    """Call ``hostile::float``.

    Args:
        x: Tensor
        eps: float

    Returns:
        Tensor

    Schema:
        hostile::float(Tensor x, float eps=1.0) -> Tensor
    """

def lambda_(await_: Tensor, *, torch: Tensor | None = None, from_: int = 3) -> Tensor:
    """Ends in a quote: "so"

    Args:
        await_: float [n]
        torch (optional): float [m]
        from_: int

    Returns:
        await.dtype [n]

    Schema:
        hostile::lambda(Tensor await, *, Tensor? torch=None, int from=3) -> Tensor
    """

def lambda_async(
    len: Tensor,
    large: float = 1e300,
    negative: float = -0.0,
    t: torch.dtype = torch.float32,
    pad: int | Sequence[int] = 1,
    none: Sequence[int] = (),
    z: complex = 1j,
) -> Tensor:
    """Has \"\"\" inside, and a \\ at the end \\

    Args:
        len: small [a, *rest, 4*b]
        large: float
        negative: float
        t: torch.dtype
        pad: int | Sequence[int]
        none: Sequence[int]
        z: complex

    Returns:
        float32 [*rest, a + b]

    Schema:
        hostile::lambda.async(Tensor len, float large=1e300, float negative=-0.0, ScalarType t=float32, int[2] pad=1, int[] none=[], complex z=1.0j) -> Tensor
    """

def mutate(caches: Sequence[Tensor], state: Tensor | None, device: torch.device | str = "cpu") -> None:
    """Call ``hostile::mutate``.

    Args:
        caches (written): any [blocks, *rest]
        state (optional, written): float [blocks]
        device: torch.device | str

    Schema:
        hostile::mutate(Tensor(a!)[] caches, Tensor(b!)? state, Device device="cpu") -> ()
    """

def words(
    x: Tensor,
    mode: Literal["plain", 'say "x"', 'it\'s "quoted"'] = 'it\'s "quoted"',
    kind: Literal["a"] | None = None,
) -> tuple[Tensor, Tensor | None, int]:
    """Call ``hostile::words``.

    Args:
        x: any [...]
        mode: str
        kind (optional): str | None

    Requires:
        mode in ('plain', 'say "x"')
        kind in ('a', None)

    Returns:
        a: x.dtype [1]
        b: Tensor | None
        c: int

    Schema:
        hostile::words(Tensor x, str mode="it's \\"quoted\\"", str? kind=None) -> (Tensor a, Tensor? b, int c)
    """
