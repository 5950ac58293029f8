"""The operators of `torch.ops.hostile` as functions; `ops.pyi` has their types."""

import torch

_a_name_that_is_quite_long_so_that_nothing_fits_on_a_line = (
    torch.ops.hostile.a_name_that_is_quite_long_so_that_nothing_fits_on_a_line.default
)
_bare = torch.ops.hostile.bare.default
_lambda = getattr(torch.ops.hostile, "lambda").default
_lambda_async = getattr(getattr(torch.ops.hostile, "lambda"), "async")
_mutate = torch.ops.hostile.mutate.default
_words = torch.ops.hostile.words.default


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
    return _bare(x)


def lambda_(await_, *, torch_=None, from_=3):
    """Ends in a quote: "so"

    Args:
        await_: float [n]
        torch_ (optional): float [m]
        from_: int

    Returns:
        await.dtype [n]

    Schema:
        hostile::lambda(Tensor await, *, Tensor? torch=None, int from=3) -> Tensor
    """
    return _lambda(await_, **{"torch": torch_}, **{"from": from_})


def lambda_async(len_, large=1e300, negative=-0.0, t=torch.float32, pad=1, none=(), z=1j):
    """Has \"\"\" inside, and a \\ at the end \\

    Args:
        len_: small [a, *rest, 4*b]
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
    return _lambda_async(len_, large, negative, t, pad, none, z)


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
