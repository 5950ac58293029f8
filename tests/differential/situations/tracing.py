"""Meta and fake tensors, functionalisation, `torch.compile`, `torch.export`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch._dynamo
from observation import attempt, gradients, leaf, look, plain, ramp
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from .situation import Call, Situations, on

SITUATIONS = situation = Situations()


def _compile(function: Callable[..., Any], backend: str = "aot_eager", **options: Any) -> Callable[..., Any]:
    torch._dynamo.reset()
    return torch.compile(function, backend=backend, fullgraph=True, **options)


@situation()
def meta_tensors(call: Call) -> Any:
    base = torch.empty(2, 4, device="meta")
    return look(call, base[0], torch.empty(4, device="meta"), base=base)


@situation("writes")
def a_meta_leaf_that_requires_grad(call: Call) -> Any:
    return look(call, torch.empty(4, device="meta", requires_grad=True), torch.empty(4, device="meta"))


@situation(differs=on("resizing", "out=", "two outs"))
def meta_tensors_of_other_sizes(call: Call) -> Any:
    return look(call, torch.empty(4, device="meta"), torch.empty(3, device="meta"))["result"]


@situation(differs=on("layout", "functional", "two outs", "functional, no derivative") | on("unnoticed", "list"))
def fake_tensors(call: Call) -> Any:
    with FakeTensorMode():
        w, y = torch.empty(4, 3).t(), torch.empty(3, 4)
        result = call(w, y)
    result = result[0] if isinstance(result, tuple) else result
    shown = None if result is None else (list(result.shape), result.stride(), result.dtype, result.device.type)
    return shown, result is w, w._version


@situation("writes")
def a_fake_leaf_that_requires_grad(call: Call) -> Any:
    with FakeTensorMode():
        return attempt(lambda: call(torch.empty(4, requires_grad=True), torch.empty(4)) is None)


@situation()
def functionalize(call: Call) -> Any:
    def run(w: Tensor, y: Tensor) -> Tensor:
        copy = w.clone()
        result = call(copy, y)
        return copy * 2 if not isinstance(result, Tensor) else result + copy

    return attempt(lambda: plain(torch.func.functionalize(run)(ramp(4), ramp(4))))


@situation()
def functionalize_of_a_written_argument(call: Call) -> Any:
    w = ramp(4)

    def run(w: Tensor, y: Tensor) -> Tensor:
        call(w, y)
        return w * 2

    return attempt(lambda: plain(torch.func.functionalize(run)(w, ramp(4)))), plain(w)


@situation()
def functionalize_of_a_written_view(call: Call) -> Any:
    base = ramp(2, 4)

    def run(base: Tensor, y: Tensor) -> Tensor:
        call(base[1], y)
        return base * 2

    return attempt(lambda: plain(torch.func.functionalize(run)(base, ramp(4)))), plain(base)


@situation()
def make_fx_of_a_written_argument(call: Call) -> Any:
    def run(w: Tensor, y: Tensor) -> Tensor:
        copy = w.clone()
        call(copy, y)
        return copy * 2

    return attempt(lambda: plain(make_fx(run, tracing_mode="fake")(ramp(4), ramp(4))(ramp(4), ramp(4))))


@situation(joint=True)
def inductor_reads_what_was_written(calls: Mapping[str, Call]) -> Any:
    """One graph of all forms: compiling is slow."""

    def run(ws: Mapping[str, Tensor], y: Tensor) -> dict[str, Tensor]:
        seen = {}
        for name, call in calls.items():
            call(ws[name], y)
            seen[name] = ws[name] * 2
        return seen

    ws = {name: ramp(4) for name in calls}
    read = _compile(run, "inductor")(ws, ramp(4))
    return {name: (plain(read[name]), look_at(ws[name])) for name in calls}


@situation(joint=True)
def inductor_writes_two_views_of_one_base(calls: Mapping[str, Call]) -> Any:
    """One graph of all forms."""

    def run(bases: Mapping[str, Tensor], y: Tensor) -> dict[str, Tensor]:
        seen = {}
        for name, call in calls.items():
            call(bases[name][0], y)
            call(bases[name][1], y)
            seen[name] = bases[name].sum()
        return seen

    bases = {name: ramp(2, 4) for name in calls}
    read = _compile(run, "inductor")(bases, ramp(4))
    return {name: (plain(read[name]), look_at(bases[name])) for name in calls}


@situation(joint=True)
def inductor_with_sizes_that_vary(calls: Mapping[str, Call]) -> Any:
    """One graph of all forms."""

    def run(ws: Mapping[str, Tensor], y: Tensor) -> dict[str, Tensor]:
        for name, call in calls.items():
            call(ws[name], y)
        return {name: w + 1 for name, w in ws.items()}

    compiled = _compile(run, "inductor", dynamic=True)
    seen: dict[str, list[Any]] = {name: [] for name in calls}
    for size in (3, 5):
        ws = {name: ramp(size) for name in calls}
        read = compiled(ws, ramp(size))
        for name in calls:
            seen[name].append((plain(read[name]), look_at(ws[name])))
    return seen


def look_at(w: Tensor) -> Any:
    """Describe a tensor that a compiled function may have written."""
    return plain(w), w._version > 0


@situation()
def compiled_the_result_is_what_eager_mode_returns(call: Call) -> Any:
    w = ramp(4)
    result = _compile(call)(w, ramp(4))
    return plain(result, w), plain(w)


@situation("writes")
def compiled_a_leaf_that_requires_grad(call: Call) -> Any:
    w = leaf(4)
    return attempt(lambda: _compile(call)(w, ramp(4)) is None), plain(w)


@situation("writes")
def compiled_a_view_of_a_leaf(call: Call) -> Any:
    w = leaf(2, 4)
    return attempt(lambda: _compile(lambda w, y: call(w[0], y))(w, ramp(4)) is None), plain(w)


@situation("writes", differs=on("unnoticed", "list"))
def compiled_a_saved_tensor_is_overwritten(call: Call) -> Any:
    def loss(x: Tensor, y: Tensor) -> Tensor:
        saved = (x * 2).exp()
        call(saved.detach(), y)
        return saved.sum()

    x = torch.ones(4, requires_grad=True)
    return gradients(lambda: _compile(loss)(x, ramp(4)), x)


@situation(
    differs=on("no formula", "functional, no derivative")
    | on("at the call", "mutable", "list", "in-place, no derivative")
)
def compiled_y_requires_grad(call: Call) -> Any:
    y = leaf(4)

    def loss(w: Tensor, y: Tensor) -> Tensor:
        result = call(w, y)
        return result[0] if isinstance(result, tuple) else w if result is None else result

    return gradients(lambda: _compile(loss)(torch.zeros(4), y), y)


@situation()
def compiled_under_no_grad(call: Call) -> Any:
    w, y = leaf(4), leaf(4)

    def run(w: Tensor, y: Tensor) -> Tensor:
        with torch.no_grad():
            call(w, y)
        return w.detach() * 2

    return attempt(lambda: plain(_compile(run)(w, y))), plain(w)


@situation()
def compiled_in_inference_mode(call: Call) -> Any:
    w, y = ramp(4), ramp(4)
    with torch.inference_mode():
        return attempt(lambda: plain(_compile(call)(w, y), w)), plain(w)


@situation(differs=on("resizing", "out=", "two outs"))
def compiled_y_has_other_sizes(call: Call) -> Any:
    return attempt(lambda: _compile(call)(ramp(4), ramp(3)) is None)


@situation()
def compiled_y_is_w(call: Call) -> Any:
    w = ramp(4)
    return attempt(lambda: plain(_compile(call)(w, w), w)), plain(w)


@situation()
def compiled_y_overlaps_with_w(call: Call) -> Any:
    base = ramp(5)
    return attempt(lambda: plain(_compile(call)(base[:4], base[1:]))), plain(base)


@situation()
def exported(call: Call) -> Any:
    class Step(torch.nn.Module):
        def forward(self, w: Tensor, y: Tensor) -> Tensor:
            call(w, y)
            return w * 2

    def run() -> Any:
        w = ramp(4)
        program = torch.export.export(Step(), (ramp(4), ramp(4)))
        return plain(program.run_decompositions({}).module()(w, ramp(4))), plain(w)

    return attempt(run)


@situation("writes")
def exported_with_a_buffer_as_state(call: Call) -> Any:
    class Step(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("state", ramp(4))

        def forward(self, y: Tensor) -> Tensor:
            call(self.state, y)
            return self.state * 2

    def run() -> Any:
        program = torch.export.export(Step(), (ramp(4),)).run_decompositions({}).module()
        return plain(program(ramp(4))), plain(program(ramp(4)))

    return attempt(run)
