"""The operators of `torch.ops.hostile` as functions; `ops.pyi` has their types."""

import torch

_Tensor = torch.ops.hostile.Tensor.default
__bare = torch.ops.hostile._bare.default
_a_name_that_is_quite_long_so_that_nothing_fits_on_a_line = (
    torch.ops.hostile.a_name_that_is_quite_long_so_that_nothing_fits_on_a_line.default
)
__bare_op = torch.ops.hostile.bare.default
_float = torch.ops.hostile.float.default
_lambda = getattr(torch.ops.hostile, "lambda").default
_lambda_async = getattr(getattr(torch.ops.hostile, "lambda"), "async")
_mutate = torch.ops.hostile.mutate.default
_words = torch.ops.hostile.words.default


def Tensor_(x, torch_=1, torch=torch.float32, float=1):
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
    return _Tensor(x, torch_, torch, float)


def _bare(x):
    """Call ``hostile::_bare``.

    Args:
        x: Tensor

    Returns:
        Tensor

    Schema:
        hostile::_bare(Tensor x) -> Tensor
    """
    return __bare(x)


def a_name_that_is_quite_long_so_that_nothing_fits_on_a_line(
    a_first_argument_with_a_name,
    a_second_argument_with_a_name,
    a_third_argument_with_a_name,
):
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
    return _a_name_that_is_quite_long_so_that_nothing_fits_on_a_line(
        a_first_argument_with_a_name,
        a_second_argument_with_a_name,
        a_third_argument_with_a_name,
    )


def bare(x):
    """Call ``hostile::bare``.

    Args:
        x: Tensor

    Returns:
        Tensor

    Schema:
        hostile::bare(Tensor x) -> Tensor
    """
    return __bare_op(x)


def float_(x, eps=1.0):
    """Call ``hostile::float``.

    Args:
        x: Tensor
        eps: float

    Returns:
        Tensor

    Schema:
        hostile::float(Tensor x, float eps=1.0) -> Tensor
    """
    return _float(x, eps)


def lambda_(await_, *, torch=None, from_=3):
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
    return _lambda(await_, torch=torch, **{"from": from_})


def lambda_async(len, large=1e300, negative=-0.0, t=torch.float32, pad=1, none=(), z=1j):
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
    return _lambda_async(len, large, negative, t, pad, none, z)


def mutate(caches, state, device="cpu"):
    """Call ``hostile::mutate``.

    Args:
        caches (written): any [blocks, *rest]
        state (optional, written): float [blocks]
        device: torch.device | str

    Schema:
        hostile::mutate(Tensor(a!)[] caches, Tensor(b!)? state, Device device="cpu") -> ()
    """
    return _mutate(caches, state, device)


def words(x, mode='it\'s "quoted"', kind=None):
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
    return _words(x, mode, kind)
