"""The keys of an op. This table is the reader's, and the reference page is checked against it."""

from __future__ import annotations

from typing import Any, get_args

from opgen.spec.autograd_form import AUTOGRAD
from opgen.spec.contract_forms import CHECKS, TENSORS
from opgen.spec.dispatch_form import DISPATCH, LAYER_KEYS
from opgen.spec.fields import Key
from opgen.spec.forms import (
    CLASS,
    FILE,
    FLAG,
    FUNCTION,
    NAME,
    OP_NAME,
    STRING,
    TEXT,
    dictionary_of,
    function_or,
    list_of,
    one_of,
    word,
)
from opgen.spec.kernel_forms import POINTWISE, REDUCE
from opgen.spec.library import Abi
from opgen.spec.tests_form import TESTS

_NAMES = list_of(NAME, "a list of names", unique=True)

FUNC_KEY = Key(
    "func",
    TEXT,
    "The schema, as `m.def` takes it. It alone is a complete declaration; `ns::name(…)` puts the op in another namespace.",
    "rms_norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor",
    required=True,
    not_generated="views, `Tensor(a) x -> Tensor(a)`, and `...`",
)
DOC_KEY = Key(
    "doc",
    STRING,
    "What the op does: its docstring and documentation page.",
    "Root-mean-square normalisation over the last dimension.",
    default="none",
)
AUTOGEN_KEY = Key(
    "autogen",
    list_of(OP_NAME, "a list of op names", unique=True),
    "Further forms of this op, by name, which its kernel serves as well: `NAME.out`, `NAME_` and `NAME.functional`; see "
    "[families](families.md).",
    "[rms_norm.out]",
    default="none",
)
TENSORS_KEY = Key(
    "tensors",
    TENSORS,
    "The contract of each tensor: `DTYPE [DIMS] LAYOUT DEVICE VALUES`. The keys are arguments, named returns, `return` "
    "for a single one, or `return.0`. An argument without an entry isn't checked, an output without one needs `fake`.",
    '{x: "float [*batch, hidden]", return: "x.dtype [*batch, hidden]"}',
    default="nothing is checked",
    not_generated="entries of returned lists, and a device by condition",
)
CHECKS_KEY = Key(
    "checks",
    CHECKS,
    "Conditions over sizes and scalars that hold at every call; `{condition: message}` gives the message of the error.",
    '["eps > 0", {topk <= experts: choose at most as many experts as there are}]',
    default="none",
    inheritable=True,
)
REFERENCE_KEY = Key(
    "reference",
    TEXT,
    "What the op computes, for the generated tests: an expression over its arguments, or `module:function`; see "
    "[A reference](#a-reference).",
    "x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight",
    default="results aren't compared",
)
FAKE_KEY = Key(
    "fake",
    TEXT,
    "The fake kernel, where the contract doesn't give it: `module:function`, an expression, or `none` for an op that is "
    "on purpose not compilable.",
    "mylib.fakes:lookup",
    default="derived from `tensors`",
    inheritable=True,
)
DISPATCH_KEY = Key(
    "dispatch",
    DISPATCH,
    "The kernel for each dispatch key: `cpp`, `cuda`, `triton` or `python`, or a mapping with the keys of a kernel.",
    '{CPU: cpp, CUDA: {kernel: cuda, symbol: "mylib::rms_norm_cuda"}}',
    default="`{CPU: cpp}`; `{CompositeExplicitAutograd: cpp}` for an op without tensor arguments; "
    "`{CompositeImplicitAutograd: python}` with `autograd: composite`",
    inheritable=True,
    not_generated="`cpp` for other keys than `CPU` and `CompositeExplicitAutograd`; `cuda` for others than `CUDA`; "
    "`triton` for others than `CPU`, `CUDA`, `HIP` and `XPU`; "
    "`python` for sparse, quantized, nested and MKL-DNN tensors",
)
POINTWISE_KEY = Key(
    "pointwise",
    POINTWISE,
    "What the op computes at each point, from which kernels, reference and gradient are generated: one expression, or one "
    "for each output, written argument and name that others use; see [Expressions](expressions.md).",
    "silu(x[..., :d]) * x[..., d:]",
    default="kernels are written by hand",
)
REDUCE_KEY = Key(
    "reduce",
    REDUCE,
    "Reductions along dims of `tensors`, one an entry, which `pointwise` uses or which are the results; see "
    "[Expressions](expressions.md#reductions).",
    '{m: "max(x, n)", s: "sum(exp(x - m), n)"}',
    default="none",
)
REGISTERED_KEY = Key(
    "registered",
    FILE,
    "The source file where schema and kernels stay hand-written, in place of `dispatch`. Fake kernel, stub, documentation "
    "and tests are generated. `opgen lint` compares the schema with that of the source, the package with the one that is "
    "registered when it is imported, see "
    "[Moving a library](../examples/migration/README.md).",
    "csrc/bindings.cpp",
    default="schema and registration are generated",
    inheritable=True,
)
OVERWRITES_KEY = Key(
    "overwrites",
    _NAMES,
    "Written arguments of which every element is written and none is read: destinations.",
    "[out]",
    default="none; the out arguments of an out= op are",
)
SCRATCH_KEY = Key(
    "scratch",
    _NAMES,
    "Written arguments whose contents mean nothing before or after the call: workspace.",
    "[workspace]",
    default="none",
)
MAY_OVERLAP_KEY = Key(
    "may_overlap",
    _NAMES,
    "Arguments that may share memory. Others may not overlap with a written one.",
    "[src, dst]",
    default="none",
)
ALIAS_SAFE_KEY = Key(
    "alias_safe",
    FLAG,
    "The kernel may be given an output that is one of its inputs, as an elementwise one may.",
    "true",
    default="`false`",
    inheritable=True,
)
RESIZE_OUT_KEY = Key(
    "resize_out",
    FLAG,
    "An `out` without elements is given the sizes of the result, as ATen does, in eager mode; any other has to fit, as "
    "without this key, since a traced graph can't change the sizes of an argument.",
    "true",
    default="`false`",
    inheritable=True,
    not_generated="`true` for kernels in Python",
)
AUTOGRAD_KEY = Key(
    "autograd",
    AUTOGRAD,
    "`none`: no gradient; `error`: a call with an input that requires grad raises; `composite`: the kernel is made of "
    "differentiable ops; `derived`: what follows from `pointwise` and `reduce`; or formulas as in `derivatives.yaml`, "
    '`{x: …, "q, k": …}`, see [Gradients](autograd.md).',
    "{x: grad * weight, weight: (grad * x).sum_to_size(weight.shape)}",
    default="`none`, with a hint",
    inheritable=True,
)
OUTPUT_DIFFERENTIABILITY_KEY = Key(
    "output_differentiability",
    list_of(FLAG, "a list of true and false, one a return"),
    "Which of the returns have a gradient, as in `derivatives.yaml`; others are marked as constants.",
    "[true, false]",
    default="every floating-point return",
)
AUTOCAST_KEY = Key(
    "autocast",
    one_of(
        ("promote", "float32", "lower_precision", "none"),
        dict.fromkeys(("half", "float16", "bfloat16", "fp16", "bf16", "lower"), "did you mean 'lower_precision'?"),
    ),
    "What `torch.autocast` does to the floating-point arguments of a functional op, as ATen's lists say it: cast them all to "
    "`float32`, to the `lower_precision` of the context, or `promote` them to the widest that is passed.",
    "promote",
    default="`none`",
    inheritable=True,
)
VMAP_KEY = Key(
    "vmap",
    function_or("loop", "one call a slice"),
    "What `torch.vmap` makes of a functional op: a `module:function` as `torch.library.register_vmap` takes it, or `loop`, "
    "which calls the op once a slice.",
    "mylib.vmap:rms_norm",
    default="one call for the whole batch where `tensors` lets it (`*batch` in front), else `loop`",
    inheritable=True,
)
LAYERS_KEY = Key(
    "layers",
    dictionary_of(
        function_or("fallthrough", "a key that is passed by"),
        "a mapping of dispatch keys to functions",
        one_of(LAYER_KEYS, otherwise=f"write one key an entry, of {', '.join(LAYER_KEYS)}", name="a dispatch key"),
    ),
    "What stands in front of the op at single keys of PyTorch's dispatcher: a `module:function` that is given what stands "
    "below and then the arguments, or `fallthrough`; see [torch.library](torch-library.md#layers).",
    '{CPU: "mylib.layers:log", AutocastCPU: fallthrough}',
    default="nothing but what is generated",
)
TORCH_DISPATCH_KEY = Key(
    "torch_dispatch",
    dictionary_of(FUNCTION, "a mapping of classes to functions", CLASS),
    "What subclasses of tensors and modes of `TorchDispatchMode` make of a call, `module:Class` -> `module:function`, as "
    "`torch.library.register_torch_dispatch` takes it.",
    '{"mylib.masked:MaskedTensor": "mylib.masked:rms_norm"}',
    default="what their `__torch_dispatch__` says",
)
TAGS_KEY = Key(
    "tags",
    list_of(NAME, "a list of names", unique=True),
    "Further members of `torch.Tag`. Those of contract, sizes and layout are derived.",
    "[pointwise]",
    default="none",
    inheritable=True,
)
SIDE_EFFECTS_KEY = Key(
    "side_effects",
    FLAG,
    "The op is never dropped by the compiler, though it writes no tensor.",
    "true",
    default="`false`",
    inheritable=True,
)
ABI_KEY = Key(
    "abi",
    word(get_args(Abi)),
    "The ABI that the op's kernels are compiled for, where it isn't that of the library.",
    "classic",
    default="that of the library",
    inheritable=True,
    not_generated="`classic` for `cuda` kernels",
)
TESTS_KEY = Key(
    "tests",
    TESTS,
    "What the generated tests need to know.",
    "{sizes: {block_size: [16, 32]}}",
    default="all tests, with derived samples",
    inheritable=True,
)

OP_KEYS: tuple[Key[Any], ...] = (
    FUNC_KEY,
    DOC_KEY,
    AUTOGEN_KEY,
    TENSORS_KEY,
    CHECKS_KEY,
    REFERENCE_KEY,
    FAKE_KEY,
    DISPATCH_KEY,
    POINTWISE_KEY,
    REDUCE_KEY,
    REGISTERED_KEY,
    OVERWRITES_KEY,
    SCRATCH_KEY,
    MAY_OVERLAP_KEY,
    ALIAS_SAFE_KEY,
    RESIZE_OUT_KEY,
    AUTOGRAD_KEY,
    OUTPUT_DIFFERENTIABILITY_KEY,
    AUTOCAST_KEY,
    VMAP_KEY,
    LAYERS_KEY,
    TORCH_DISPATCH_KEY,
    TAGS_KEY,
    SIDE_EFFECTS_KEY,
    ABI_KEY,
    TESTS_KEY,
)
DEFAULTS_KEYS = tuple(key for key in OP_KEYS if key.inheritable)
