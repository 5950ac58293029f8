"""Where opgen differs from ATen on purpose."""

DIFFERENCES = {
    "no formula": (
        "A functional op without a formula uses PyTorch's fallback, like a hand-written op: its backward warns, names"
        " the op and gives no gradient (zeros under `torch.func`), where ATen raises. With `autograd: error` the call"
        " itself raises."
    ),
    "at the call": (
        "A mutable op has no formula and is refused at the call: `derivative for … is not implemented`. ATen "
        "differentiates, or raises in `backward`."
    ),
    "forward mode": "Formulas are for `backward` only; forward-mode derivatives are refused.",
    "casting": (
        "No dtype is cast when a tensor is written: the contract states its dtype. ATen casts within a category."
    ),
    "resizing": (
        "An `out` of the wrong size is refused, because it can't be resized under `torch.compile`. ATen resizes it, "
        "with a warning if it had elements. `resize_out: true` resizes an `out` without elements, in eager mode."
    ),
    "layout": (
        "A fresh result has the layout that its contract states, or is contiguous; ATen adopts the strides of an "
        "input. An `out` keeps its strides; ATen's fake `sort` changes them."
    ),
    "devices": "Tensors on several devices are refused. Some of ATen's meta kernels don't check.",
    "order": (
        "If a call makes several mistakes, opgen reports the one against the contract first, ATen the lost gradient."
    ),
    "earlier": "opgen raises before anything is written or resized, ATen afterwards.",
    "unnoticed": (
        "ATen's `_foreach_add_` doesn't count writes to fake tensors: when compiled, it overwrites a saved tensor and"
        " the gradient is wrong. opgen's op raises, as in eager mode."
    ),
    "slices": (
        "Under `vmap`, an op that writes runs once per slice and counts a write for each. ATen's op has a kernel for "
        "the whole batch."
    ),
    "batched": "Ops of every contract run under `vmap`. ATen refuses out= and `_foreach` ops there.",
    "captured": (
        "Under `vmap`, writing a tensor that is the same for all slices is refused with a message that says so. "
        "ATen's message is about sizes."
    ),
    "written over": (
        "Two written tensors that share memory are refused. In ATen, the second output overwrites the first."
    ),
    "conjugated lists": "Lists of conjugated or negated tensors can be written. ATen refuses them.",
}
"""Key -> what differs, and why."""
