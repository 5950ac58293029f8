"""The table of the keys of an op, by which entries are read, and reference page and JSON Schema are written."""

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
    "The schema, as `m.def` takes it. A schema alone is a complete declaration. `ns::name(…)` puts the op into "
    "another namespace.",
    "rms_norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor",
    required=True,
    not_generated="views, `Tensor(a) x -> Tensor(a)`, and `...`",
)
DOC_KEY = Key(
    "doc",
    STRING,
    "What the op does, for its docstring and documentation page.",
    "Root-mean-square normalisation over the last dimension.",
    default="none",
)
AUTOGEN_KEY = Key(
    "autogen",
    list_of(OP_NAME, "a list of op names", unique=True),
    "Further forms of this op that its kernel serves as well, by name: `NAME.out`, `NAME_` and `NAME.functional`; see "
    "[families](families.md).",
    "[rms_norm.out]",
    default="none",
)
TENSORS_KEY = Key(
    "tensors",
    TENSORS,
    "The contract of each tensor: `DTYPE [DIMS] LAYOUT DEVICE VALUES`. The keys are arguments, named returns, "
    "`return` for a single return, or `return.0`. An argument without an entry isn't checked; an output without one "
    "needs `fake`. See [the tensor contract](tensors.md).",
    '{x: "float [*batch, hidden]", return: "x.dtype [*batch, hidden]"}',
    default="nothing is checked",
    not_generated="entries of returned lists, and a device by condition",
)
CHECKS_KEY = Key(
    "checks",
    CHECKS,
    "Conditions over sizes and scalars that every call must satisfy; `{condition: message}` sets the error message.",
    '["eps > 0", {topk <= experts: choose at most as many experts as there are}]',
    default="none",
    inheritable=True,
)
REFERENCE_KEY = Key(
    "reference",
    TEXT,
    "What the op computes, for the generated tests to compare with: an expression over its arguments, or "
    "`module:function`; see [A reference](#a-reference).",
    "x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight",
    default="results aren't compared",
)
FAKE_KEY = Key(
    "fake",
    TEXT,
    "The fake kernel, if the contract can't provide it: `module:function`, an expression, or `none` for an op that is "
    "deliberately not compilable.",
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
    "What the op computes for each element. opgen generates kernels, reference and gradient from it. Either one "
    "expression, or one for each output, written argument and intermediate value; see [Expressions](expressions.md).",
    "silu(x[..., :d]) * x[..., d:]",
    default="kernels are written by hand",
)
REDUCE_KEY = Key(
    "reduce",
    REDUCE,
    "Reductions along dims named in `tensors`, one per entry, to be used in `pointwise` or as the results; see "
    "[Expressions](expressions.md#reductions).",
    '{m: "max(x, n)", s: "sum(exp(x - m), n)"}',
    default="none",
)
REGISTERED_KEY = Key(
    "registered",
    FILE,
    "The source file in which schema and kernels remain hand-written, instead of `dispatch`. The fake kernel, stub, "
    "documentation and tests are generated. `opgen lint` compares the schema with the source, and the package "
    "compares it with the live registration on import; see [the migration example](../examples/migration/README.md).",
    "csrc/bindings.cpp",
    default="schema and registration are generated",
    inheritable=True,
)
OVERWRITES_KEY = Key(
    "overwrites",
    _NAMES,
    "Destinations: written arguments whose elements are all written and never read.",
    "[out]",
    default="none; for an out= op, its out arguments",
)
SCRATCH_KEY = Key(
    "scratch",
    _NAMES,
    "Workspace: written arguments whose contents have no meaning before or after the call.",
    "[workspace]",
    default="none",
)
MAY_OVERLAP_KEY = Key(
    "may_overlap",
    _NAMES,
    "Arguments that may share memory. Any other argument must not overlap with a written one.",
    "[src, dst]",
    default="none",
)
ALIAS_SAFE_KEY = Key(
    "alias_safe",
    FLAG,
    "The kernel accepts an output that is one of its inputs, as elementwise kernels do.",
    "true",
    default="`false`",
    inheritable=True,
)
RESIZE_OUT_KEY = Key(
    "resize_out",
    FLAG,
    "In eager mode, resize an `out` that has no elements, as ATen does. Any other `out` must have the right size, "
    "because a traced graph can't change the sizes of an argument.",
    "true",
    default="`false`",
    inheritable=True,
    not_generated="`true` for kernels in Python",
)
AUTOGRAD_KEY = Key(
    "autograd",
    AUTOGRAD,
    "`none`: no gradient. `error`: a call with an input that requires grad raises. `composite`: the kernel consists "
    "of differentiable ops. `derived`: the gradient is derived from `pointwise` and `reduce`. Or formulas as in "
    '`derivatives.yaml`, `{x: …, "q, k": …}`. See [Gradients](autograd.md).',
    "{x: grad * weight, weight: grad * x}",
    default="`none`, with a hint",
    inheritable=True,
)
OUTPUT_DIFFERENTIABILITY_KEY = Key(
    "output_differentiability",
    list_of(FLAG, "a list of true and false, one a return"),
    "Which returns have a gradient, as in `derivatives.yaml`; the others are constants.",
    "[true, false]",
    default="all floating-point returns",
)
AUTOCAST_KEY = Key(
    "autocast",
    one_of(
        ("promote", "float32", "lower_precision", "none"),
        dict.fromkeys(("half", "float16", "bfloat16", "fp16", "bf16", "lower"), "did you mean 'lower_precision'?"),
    ),
    "How `torch.autocast` treats the floating-point arguments of a functional op, as in ATen's lists: cast all of "
    "them to `float32` or to the `lower_precision` dtype of the context, or `promote` them to the widest dtype "
    "passed.",
    "promote",
    default="`none`",
    inheritable=True,
)
VMAP_KEY = Key(
    "vmap",
    function_or("loop", "one call a slice"),
    "What `torch.vmap` does with a functional op: a `module:function` for `torch.library.register_vmap`, or `loop`, "
    "which calls the op once per slice.",
    "mylib.vmap:rms_norm",
    default="one call for the whole batch if `tensors` allows it (`*batch` in front), otherwise `loop`",
    inheritable=True,
)
LAYERS_KEY = Key(
    "layers",
    dictionary_of(
        function_or("fallthrough", "a key that is passed by"),
        "a mapping of dispatch keys to functions",
        one_of(LAYER_KEYS, otherwise=f"write one key an entry, of {', '.join(LAYER_KEYS)}", name="a dispatch key"),
    ),
    "Functions in front of the op at individual keys of PyTorch's dispatcher: a `module:function`, which receives a "
    "function that calls the layers below and then the arguments, or `fallthrough`; see "
    "[torch.library](torch-library.md#layers).",
    '{CPU: "mylib.layers:log", AutocastCPU: fallthrough}',
    default="only the generated ones",
)
TORCH_DISPATCH_KEY = Key(
    "torch_dispatch",
    dictionary_of(FUNCTION, "a mapping of classes to functions", CLASS),
    "Rules for tensor subclasses and `TorchDispatchMode`s, `module:Class` -> `module:function`, as for "
    "`torch.library.register_torch_dispatch`.",
    '{"mylib.masked:MaskedTensor": "mylib.masked:rms_norm"}',
    default="their `__torch_dispatch__`",
)
TAGS_KEY = Key(
    "tags",
    list_of(NAME, "a list of names", unique=True),
    "Additional members of `torch.Tag`. Tags for contract, sizes and layout are derived.",
    "[pointwise]",
    default="none",
    inheritable=True,
)
SIDE_EFFECTS_KEY = Key(
    "side_effects",
    FLAG,
    "The compiler must never drop the op, although it writes no tensor.",
    "true",
    default="`false`",
    inheritable=True,
)
ABI_KEY = Key(
    "abi",
    word(get_args(Abi)),
    "The ABI for the op's kernels, if it differs from the library's.",
    "classic",
    default="the library's",
    inheritable=True,
    not_generated="`classic` for `cuda` kernels",
)
TESTS_KEY = Key(
    "tests",
    TESTS,
    "Settings for the generated tests.",
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
