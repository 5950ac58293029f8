"""No text makes a front end raise: mutations of real ones, and what fuzzing has found."""

import os
import random
from pathlib import Path

import front_ends
import pytest

PROJECT = Path(__file__).resolve().parents[2]
COUNT = int(os.environ.get("OPGEN_FUZZ", "150"))

SCHEMA = (
    "f.out(Tensor(a!)? x, Tensor[] xs=[], SymInt[2] n=[1, -2], *, float e=1e-5, str s='a\\'b') -> (Tensor(a!) y, int)"
)
SEEDS = {
    "schema": [
        SCHEMA,
        "g(Tensor(a|b -> *) x, Dict(str, Tensor)? d=None, ...) -> ()",
        "h((int, str) t) -> Future(Tensor)[]",
    ],
    "tensors": [
        "float|bfloat16 [*batch, 2*d, ceil(n/8), ?k<=n] contiguous on cpu in range(0, n)",
        "x.dtype [n] if given(x) and 0 < k <= n else None",
        "promote(x, y) [*broadcast(a, b)] strides[_, 1] aligned(16)",
        "mode in ('sum', 'mean') or (m if flag else 1) % 2 == pad[0]",
    ],
    "expression": [
        "silu(z[..., :d]) * z[..., d:] if x < 0.5 and not b or k != 2 else clamp(x, low if given(low) else -inf, 1e3)",
        "where(i // 2 % 3 == (i & 7 | ~i ^ 1 << k), float32(x) ** 2 ** -alpha, x * (w if given(w) else 1)) - -index(d)",
    ],
    "yaml": [
        (PROJECT / "ops.yaml").read_text("utf-8"),
        "a: &x {b: [1, 'q', \"\\u0041\"]}\nc: *x\n<<: *x\nd: |\n  t\n  u\n",
    ],
    "library": [
        "ops:\n  - func: f(Tensor x) -> Tensor\n    tensors: {x: 'float [*b, n]', return: 'x.dtype [*b, n]'}\n    autograd: {x: grad * 2}\n",
        "defaults: {autograd: none}\nops:\n  - {func: 'g(Tensor! out, Tensor x) -> ()', overwrites: [out], autogen: [g.functional]}\n",
    ],
    "cpp": [
        'TORCH_LIBRARY_FRAGMENT(a, m) {\n#if X\n  m.def("f(Tensor x) -> " "Tensor", &f);\n#else\n  m.def(R"(g() -> ())");\n#endif\n}\n',
        '#define D(n) m.def(#n "(Tensor! x) -> ()")\nSTABLE_TORCH_LIBRARY(b, m) { D(h); auto k = [&] { m.impl("h", TORCH_BOX(&h)); }; k(); }\n',
    ],
    "python": [
        "import torch\nlib = torch.library.Library('a', 'DEF')\nlib.define(f'{n}(Tensor x) -> Tensor')\nfor n in ('f', 'g'):\n    lib.impl(n, h, 'CPU')\n",
        "from torch.library import custom_op\n@custom_op('a::f', mutates_args={'x'})\ndef f(x: torch.Tensor, y: int | None = None) -> None: ...\n",
    ],
}
SEEDS |= {"import_cpp": SEEDS["cpp"], "import_python": SEEDS["python"]}
FOUND = [
    # front end, text: each raised, hung or was read wrongly once
    ("library", "ops:\n  - func: &lib::h() -> ()\n"),
    ("cpp", 'TORCH_LIBRARY(a, m) {\n  m.def("f(Tensor x) -> Tensor", &);\n}\n'),
    ("cpp", "#define D(n) TORCH_LIBRARY(b, m) D(h)\nD(h)\n"),
]
STRANGE = [
    "\0",
    "\u202e",
    "\ufeff",
    "\U0001f600",
    "'",
    '"',
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    "*",
    "&",
    "!",
    "#",
    "%",
    "\n",
    "\t",
    "\r",
    "9" * 30,
]


def mutated(text, choice):
    """Return a text with a few pieces dropped, doubled, moved or replaced."""
    for _ in range(choice.randint(1, 6)):
        start = choice.randint(0, len(text))
        end = min(len(text), start + choice.choice([0, 1, 2, 8, 40]))
        piece = text[start:end]
        to = choice.randint(0, len(text))
        text = choice.choice(
            [
                text[:start] + text[end:],
                text[:start] + choice.choice(STRANGE) + text[end:],
                text[:to] + piece * choice.choice([1, 2, 30]) + text[to:],
            ]
        )
    return text


@pytest.mark.parametrize("name", SEEDS)
def test_a_mutated_text_is_read_or_refused(name):
    choice = random.Random(name)  # noqa: S311 - the same texts in every run
    for count in range(COUNT):
        text = choice.choice(SEEDS[name])
        front_ends.FRONT_ENDS[name](mutated(text, choice) if count else text)


@pytest.mark.parametrize(("name", "text"), FOUND)
def test_what_fuzzing_found_is_read_or_refused(name, text):
    front_ends.FRONT_ENDS[name](text)


def test_every_front_end_has_seeds():
    assert set(SEEDS) == set(front_ends.FRONT_ENDS)
