"""What is read by opgen and its peers."""

from __future__ import annotations

import importlib.util
from itertools import islice
from pathlib import Path

TEN_OPS = 10
_HEAD = "opgen: 1\nnamespace: bench\ndefaults: {autograd: none}\nops:\n"
_ENTRIES = (
    """\
  - func: scale_{n}(Tensor x, Tensor factors, *, bool double=False) -> Tensor
    doc: Multiply each row of `x` by its factor.
    tensors: {{x: "float [rows, n]", factors: "x.dtype [rows]", return: "x.dtype [rows, n]"}}
    reference: x * factors[:, None]
""",
    """\
  - func: clamp_{n}_(Tensor(a!) x, float low, float high) -> Tensor(a!)
    tensors: {{x: "float|int64 [...]"}}
    checks: ["low <= high"]
    reference: x.clamp(low, high)
""",
    """\
  - func: topk_{n}(Tensor logits, SymInt k) -> (Tensor weights, Tensor ids)
    tensors: {{logits: "float [tokens, experts]", weights: "float32 [tokens, k]", ids: "int32 [tokens, k]"}}
    checks: ["0 < k <= experts"]
""",
    """\
  - func: silu_{n}(Tensor! out, Tensor x) -> ()
    tensors: {{x: "float [*batch, 2*d]", out: "x.dtype [*batch, d] contiguous"}}
    overwrites: [out]
""",
    """\
  - func: copy_{n}.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
    tensors: {{x: "float [n, m]", out: "x.dtype [n, m]"}}
    reference: x.clone()
""",
)


def library(folder: Path, ops: int) -> Path:
    """Write an ``ops.yaml`` with so many ops of all contracts, and return it."""
    entries = (_ENTRIES[number % len(_ENTRIES)].format(n=number) for number in range(ops))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "ops.yaml"
    file.write_text(_HEAD + "".join(entries), encoding="utf-8")
    return file


def native_functions(folder: Path, *, first: int | None = None) -> tuple[Path, Path]:
    """Copy torch's own declarations, all or the first ones, and return them with their tags.

    Raises:
        RuntimeError: torch is not installed.
    """
    torchgen = importlib.util.find_spec("torchgen")
    if torchgen is None or torchgen.origin is None:
        raise RuntimeError("this row needs torch, which brings torchgen")
    native = Path(torchgen.origin).parent / "packaged/ATen/native"
    entries = (native / "native_functions.yaml").read_text(encoding="utf-8").split("\n- func:")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "native_functions.yaml"
    file.write_text("\n- func:".join(islice(entries, first)) + "\n", encoding="utf-8")
    return file, native / "tags.yaml"
