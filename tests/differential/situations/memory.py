"""Memory and layouts."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import torch
from observation import look, plain, ramp

from .situation import Call, Situations

SITUATIONS = situation = Situations()


@situation()
def w_is_expanded(call: Call) -> Any:
    base = ramp(1)
    return look(call, base.expand(4), ramp(4), base=base)


@situation()
def w_is_expanded_and_has_no_elements(call: Call) -> Any:
    return look(call, torch.zeros(1, 0).expand(4, 0), torch.zeros(4, 0))


@situation()
def y_is_expanded(call: Call) -> Any:
    return look(call, ramp(4), ramp(1).expand(4))


@situation()
def y_is_w(call: Call) -> Any:
    w = ramp(4)
    return look(call, w, w)


@situation()
def y_is_another_view_of_the_memory_of_w(call: Call) -> Any:
    w = ramp(4)
    return look(call, w, w.view(4))


@situation()
def y_overlaps_with_w_by_a_part(call: Call) -> Any:
    base = ramp(5)
    return look(call, base[:4], base[1:], base=base)


@situation()
def w_overlaps_with_y_by_a_part(call: Call) -> Any:
    base = ramp(5)
    return look(call, base[1:], base[:4], base=base)


@situation("reads_third")
def only_one_of_two_inputs_is_w(call: Call) -> Any:
    w = ramp(4)
    return look(lambda w, y: call(w, y, w), w, ramp(4))


@situation("reads_third")
def only_one_of_two_inputs_overlaps_with_w(call: Call) -> Any:
    base = ramp(5)
    return look(lambda w, y: call(w, y, base[1:]), base[:4], ramp(4), base=base)


@situation("writes_third")
def w_is_both_outs(call: Call) -> Any:
    w = ramp(4)
    return look(lambda w, y: call(w, y, w), w, ramp(4))


@situation("writes_third", differs={"two outs": "written over"})
def both_outs_share_memory(call: Call) -> Any:
    indices = torch.zeros(4, dtype=torch.int64)
    return look(lambda w, y: call(w, y, indices), indices.view(torch.float32)[:4], ramp(4))


@situation()
def y_is_w_transposed(call: Call) -> Any:
    w = ramp(3, 3)
    return look(call, w, w.t())


@situation()
def y_lies_beside_w_in_one_buffer(call: Call) -> Any:
    base = ramp(8)
    return look(call, base[:4], base[4:], base=base)


@situation()
def y_is_interleaved_with_w(call: Call) -> Any:
    base = ramp(8)
    return look(call, base[::2], base[1::2], base=base)


@situation()
def w_is_transposed(call: Call) -> Any:
    return look(call, ramp(4, 3).t(), ramp(3, 4))


@situation()
def both_are_transposed(call: Call) -> Any:
    return look(call, ramp(4, 3).t(), ramp(4, 3).t())


@situation()
def w_has_gaps(call: Call) -> Any:
    base = ramp(4, 6)
    return look(call, base[::2, ::3], ramp(2, 2), base=base)


@situation()
def y_has_gaps(call: Call) -> Any:
    return look(call, ramp(2, 2), ramp(4, 6)[::2, ::3])


@situation()
def w_is_channels_last(call: Call) -> Any:
    return look(call, ramp(2, 3, 2, 2).to(memory_format=torch.channels_last), ramp(2, 3, 2, 2))


@situation()
def both_are_channels_last(call: Call) -> Any:
    def nhwc() -> torch.Tensor:
        return ramp(2, 3, 2, 2).to(memory_format=torch.channels_last)

    return look(call, nhwc(), nhwc())


@situation("is_pointwise")
def no_dimensions(call: Call) -> Any:
    return look(call, ramp(), ramp())


@situation()
def no_elements(call: Call) -> Any:
    return look(call, torch.zeros(0), torch.zeros(0))


@situation()
def no_elements_in_a_middle_dimension(call: Call) -> Any:
    return look(call, torch.zeros(2, 0, 3), torch.zeros(2, 0, 3))


@situation()
def dimensions_of_one_element(call: Call) -> Any:
    return look(call, ramp(1, 4, 1), ramp(1, 4, 1))


@situation()
def enough_elements_for_several_threads(call: Call) -> Any:
    w, y = torch.ones(300, 400), torch.ones(300, 400)
    result = plain(call(w, y), w)
    return result, plain(w), w._version


@situation()
def the_result_is_copied_deep_and_pickled(call: Call) -> Any:
    w = ramp(4)
    result = call(w, ramp(4))
    return plain(copy.deepcopy(result)), plain(pickle.loads(pickle.dumps(result)))  # noqa: S301 - what was pickled here
