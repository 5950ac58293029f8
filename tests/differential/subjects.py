"""What is compared: operators of ATen, and opgen's twins of them, called alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from situations.situation import Situation
from torch import Tensor


class Aten:
    """ATen's own."""

    add = staticmethod(torch.add)
    add_ = staticmethod(lambda x, y: x.add_(y))
    add_out = staticmethod(lambda x, y, out: torch.add(x, y, out=out))
    heaviside = staticmethod(torch.heaviside)
    heaviside_ = staticmethod(lambda x, y: x.heaviside_(y))
    sort_out = staticmethod(lambda x, out: torch.sort(x, stable=True, out=out))

    @staticmethod
    def accumulate(x: Tensor, y: Tensor) -> None:
        x.add_(y)

    @staticmethod
    def accumulate_all(xs: list[Tensor], ys: list[Tensor]) -> None:
        torch._foreach_add_(xs, ys)


class Twins:
    """Those of a generated package."""

    def __init__(self, package: Any) -> None:
        self.add = package.add
        self.add_ = package.add_
        self.add_out = lambda x, y, out: package.add(x, y, out=out)
        self.heaviside = package.heaviside
        self.heaviside_ = package.heaviside_
        self.sort_out = lambda x, out: package.sort(x, out=out)
        self.accumulate = package.accumulate
        self.accumulate_all = package.accumulate_all


@dataclass(frozen=True)
class Form:
    """One way to call an operator on `w`, which it writes unless it is functional, and on `y`, which it reads.

    Attributes:
        name: the head of its column.
        call: takes a subject, `w` and `y`, and a third tensor, if it may.
        writes: whether `w` is written.
        has_complex: whether there is a kernel for complex numbers.
        is_pointwise: whether a tensor without dimensions makes sense.
        is_out: whether `w` may be given the sizes of the result.
        reads_third: whether a third tensor may be read beside `y`.
        writes_third: whether a third tensor may be written beside `w`.
    """

    name: str
    call: Callable[..., Any]
    writes: bool = True
    has_complex: bool = True
    is_pointwise: bool = True
    is_out: bool = False
    reads_third: bool = False
    writes_third: bool = False


def _add_out(o: Any, w: Tensor, y: Tensor, x: Tensor | None = None) -> Any:
    return o.add_out(y if x is None else x, y, w)


def _sort_out(o: Any, w: Tensor, y: Tensor, indices: Tensor | None = None) -> Any:
    indices = torch.empty_like(y, dtype=torch.int64) if indices is None else indices
    values, places = o.sort_out(y, (w, indices))
    return values, places is indices


def _accumulate_all(o: Any, w: Tensor, y: Tensor) -> None:
    other = torch.zeros_like(y)
    o.accumulate_all([other, w], [y, y])


FORMS = (
    Form("functional", lambda o, w, y: o.add(w, y), writes=False),
    Form("in-place", lambda o, w, y: o.add_(w, y)),
    Form("out=", _add_out, is_out=True, reads_third=True),
    Form("two outs", _sort_out, has_complex=False, is_pointwise=False, is_out=True, writes_third=True),
    Form("mutable", lambda o, w, y: o.accumulate(w, y)),
    Form("list", _accumulate_all),
    Form("functional, no derivative", lambda o, w, y: o.heaviside(w, y), writes=False, has_complex=False),
    Form("in-place, no derivative", lambda o, w, y: o.heaviside_(w, y), has_complex=False),
)


def forms_of(situation: Situation) -> Iterator[Form]:
    """Yield the forms that a situation makes sense for."""
    yield from (form for form in FORMS if all(getattr(form, need) for need in situation.needs))
