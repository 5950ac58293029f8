"""Where opgen differs from ATen on purpose."""

DIFFERENCES = {
    "no formula": (
        "A functional op without a formula has PyTorch's own fallback, as a hand-written one: its backward warns, names the "
        "op, and gives no gradient, under `torch.func` zeros, where ATen raises. `autograd: error` raises at the call."
    ),
    "at the call": (
        "A mutable op has no formula, and is refused when it is called, `derivative for … is not implemented`. ATen "
        "differentiates, or raises in `backward`."
    ),
    "forward mode": "Formulas are those of `backward`: forward-mode derivatives are refused.",
    "casting": (
        "No dtype is cast on the way into a written tensor: the contract names its dtype. ATen casts within a category."
    ),
    "resizing": (
        "An `out` of other sizes is refused: under `torch.compile` it can't be resized. ATen resizes it, with a warning "
        "where it had elements. `resize_out: true` resizes one without elements, in eager mode."
    ),
    "layout": (
        "A fresh result has the layout of its contract, contiguous where that names none; ATen takes over strides of an "
        "input. An `out` keeps its strides; ATen's fake `sort` changes them."
    ),
    "devices": "Tensors on several devices are refused. Some of ATen's meta kernels don't look.",
    "order": "Of several mistakes in one call opgen names the one against the contract first, ATen the lost gradient.",
    "earlier": "The refusal comes before anything is written or resized. ATen's comes behind that.",
    "unnoticed": (
        "ATen's `_foreach_add_` doesn't count writes to fake tensors: compiled, it overwrites a saved tensor, and the gradient "
        "is wrong. opgen's op raises, as in eager mode."
    ),
    "slices": "Under `vmap` an op that writes runs, and counts a write, once a slice. ATen's has a kernel for the batch.",
    "batched": "Ops of every contract run under `vmap`. ATen's out= and `_foreach` ops are refused.",
    "captured": (
        "Under `vmap` a written tensor that is the same for all slices is refused, and the words say so. ATen's speak of sizes."
    ),
    "written over": "Two written tensors that share memory are refused. ATen's second output overwrites its first.",
    "conjugated lists": "Lists of conjugated or negated tensors are written. ATen refuses them.",
}
"""Key -> what differs, and why."""
