"""Libraries of ops that compute random expressions: ``python random_ops.py SEED OPS OUTPUTS`` prints an ``ops.yaml``.

Some are pointwise, some reduce along inner, outer or several dims, alone or with something pointwise behind; tensors meet
by the names of their dims, in several dtypes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from random_expressions import Grammar

_SPACES = (
    *(("m n", ""),) * 3,
    *(("m n", "n"),) * 3,
    *(("m n", "m"), ("m n", "m n"), ("l m n", "l n"), ("l m n", "m"), ("l m n", "m n"), ("l m n", "l")),
    *(("*batch n", ""), ("*batch n", "n"), ("*batch n", "*batch")),
)
"""All dims, and those that are reduced."""
_DTYPES = {
    "x": ("float32", "float32", "bfloat16", "float16", "float64"),
    "y": ("float32", "float16", "bfloat16", "float64"),
    "i": ("int32", "int64", "uint8", "int16", "int8"),
    "j": ("int32", "int64", "int8", "uint8"),
}
_STORED = {"float": ("float32",) * 4 + ("bfloat16", "float16"), "int": ("int64", "int64", "int32"), "bool": ("bool",)}
NUMBERS = {"alpha": 0.75, "k": 3, "flag": True, "low": -0.5}
"""The arguments that are numbers; the last one may be left out."""


@dataclass
class Op:
    """One op.

    Attributes:
        dims: of each tensor argument and result.
        dtypes: likewise.
        reduce: expressions by name.
        pointwise: likewise.
        reduced: the dims that are reduced.
    """

    name: str
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    reduce: dict[str, str] = field(default_factory=dict)
    pointwise: dict[str, str] = field(default_factory=dict)
    reduced: tuple[str, ...] = ()

    @property
    def expressions(self) -> dict[str, str]:
        """All of them."""
        return {**self.reduce, **self.pointwise}

    def yaml(self) -> Iterator[str]:
        """Yield the lines of its declaration."""
        tensors = ", ".join(
            f"Tensor{'? w' if name == 'w' else '! z' if name == 'z' else f' {name}'}" for name in self.arguments
        )
        results = ", ".join(f"Tensor {name}" for name in self.results)
        yield f"  - func: {self.name}({tensors}, float alpha, int k, bool flag, float? low) -> ({results})"
        yield "    dispatch: {CPU: cpp, CUDA: cuda}"
        yield "    tensors:"
        yield from (f'      {name}: "{self.dtypes[name]} [{", ".join(dims)}]"' for name, dims in self.dims.items())
        for key, entries in (("reduce", self.reduce), ("pointwise", self.pointwise)):
            yield from [f"    {key}:"] if entries else []
            yield from (f'      {name}: "{text}"' for name, text in entries.items())

    @property
    def arguments(self) -> list[str]:
        """The tensors that it takes."""
        return [name for name in self.dims if not name.startswith("o")]

    @property
    def results(self) -> list[str]:
        """The tensors that it returns."""
        return [name for name in self.dims if name.startswith("o")]


def ops(seed: int, count: int, outputs: int) -> Iterator[Op]:
    """Yield ops, each of which computes so many expressions."""
    for number in range(count):
        yield _Maker(Random(f"{seed} {number}"), f"e{number}").op(outputs)  # noqa: S311 - nothing is secret


class _Maker:
    """Makes one op."""

    def __init__(self, random: Random, name: str) -> None:
        """Choose dims and dtypes of the arguments."""
        self.random = random
        whole, reduced = (tuple(dims.split()) for dims in random.choice(_SPACES))
        self.whole, self.reduced = whole, reduced
        self.kept = tuple(dim for dim in whole if dim not in reduced)
        self.is_halved = random.random() < 0.2  # x is read in parts
        turned = tuple(reversed(whole)) if random.random() < 0.2 else whole
        shapes = {
            "x": (*whole[:-1], "2*n") if self.is_halved else whole,
            "y": turned,
            "r": whole[-1:],
            "c": whole[:-1],
            "i": whole,
            "j": whole[-1:],
            "b": whole,
            "w": whole[-1:],
        }
        dtypes = {name: random.choice(choices) for name, choices in _DTYPES.items()}
        dtypes |= {"r": dtypes["x"], "c": "float32", "b": "bool", "w": "float32"}
        self.made = Op(name, shapes, {name: dtypes[name] for name in shapes}, reduced=reduced)
        self.is_double = "float64" in dtypes.values()
        self.named: dict[str, list[str]] = {"exact": [], "float": [], "int": [], "bool": []}

    def op(self, outputs: int) -> Op:
        """Make its expressions: of those that reduce first reductions, then values of rows, then of points."""
        kinds = self.random.choices(("float", "int", "bool", "exact"), (6, 2, 1, 1), k=outputs)
        is_alone = self.random.random() < 0.25
        rows = (outputs if is_alone else outputs // 3) if self.reduced else 0
        for place, kind in enumerate(kinds):
            name = f"o{place}"
            if place < rows:
                self._add(name, kind, self._reduction(kind), self.kept, self.made.reduce)
            elif place < rows * 5 // 3:
                text = self._grammar(self.kept, self.named).expression(kind, self.random.randint(1, 3))
                self._add(name, kind, text, self.kept, self.made.pointwise)
            else:
                text = self._grammar(self.whole, self.named).expression(kind, self.random.randint(1, 4))
                self._add(name, kind, text, self.whole, self.made.pointwise)
        if not is_alone and self.random.random() < 0.3:
            self._write()
        return self.made

    def _reduction(self, kind: str) -> str:
        grammar, dims = self._grammar(self.whole, self.named), ", ".join(self.reduced)
        if kind == "int" and len(self.reduced) == 1 and "*" not in dims and self.random.random() < 0.4:
            kind = "place"
        return grammar.reduction(kind, self.random.randint(0, 3), dims, "xyib")

    def _add(self, name: str, kind: str, text: str, dims: tuple[str, ...], entries: dict[str, str]) -> None:
        if self.is_halved:
            part = self.random.choice(("x[..., :n]", "x[..., n:]"))
            text = re.sub(r"\bx\b", part, text)
        stored = {"exact": "float"}.get(kind, kind)
        dtype = self.random.choice(_STORED[stored])
        self.made.dims[name], entries[name] = dims, text
        self.made.dtypes[name] = "float64" if self.is_double and dtype == "float32" else dtype
        self.named[kind].append(name)

    def _write(self) -> None:
        """Add an argument that is read and written at the same places."""
        self.made.dims = {"z": self.whole, **self.made.dims}
        self.made.dtypes["z"] = self.random.choice(("float32", "bfloat16"))
        text = self._grammar(self.whole, {**self.named, "exact": ["z"]}).expression("float", 3)
        self._add("z", "float", f"z * 0.5 + {text}", self.whole, self.made.pointwise)
        self.made.dims = {"z": self.whole, **self.made.dims}

    def _grammar(self, dims: tuple[str, ...], named: Mapping[str, list[str]]) -> Grammar:
        """What can be said of values that vary along some dims."""

        def fitting(names: str) -> list[str]:
            return [name for name in names.split() if set(self.made.dims[name]) - {"2*n"} <= set(dims)]

        in_sight = {kind: [name for name in names if self._varies(name) <= set(dims)] for kind, names in named.items()}
        tensors = fitting("y r c" if self.is_halved and "n" not in dims else "x y r c")
        numbers = ["alpha", "0.5", "2.0", "-1.5", "0.0", "3", "pi", "(low if given(low) else 1.0)"]
        if "n" in dims:
            numbers.append("(w if given(w) else 1.5)")
        sizes = [dim for dim in self.whole if not dim.startswith("*")]
        places = [f"index({dim})" for dim in sizes if dim in dims]
        leaves = {
            "exact": [*tensors * 2, *(f"-{name}" for name in tensors), *numbers, *in_sight["exact"]],
            "float": [*in_sight["float"], *in_sight["exact"]],
            "int": [*fitting("i j") * 2, "k", "0", "1", "5", *places, *sizes, *in_sight["int"]],
            "bool": [*fitting("b") * 2, "flag", "given(w)", "given(low)", "(alpha < 0.5)", *in_sight["bool"]],
        }
        return Grammar(self.random, leaves, tensors)

    def _varies(self, name: str) -> set[str]:
        return set(self.made.dims.get(name, self.whole))


def main() -> None:
    """Print a library."""
    seed, count, outputs = map(int, sys.argv[1:])
    print("opgen: 1\nnamespace: randomly\ndefaults: {autograd: none}\nops:")  # noqa: T201 - it is what is asked for
    for op in ops(seed, count, outputs):
        print("\n".join(op.yaml()))  # noqa: T201 - likewise


if __name__ == "__main__":
    main()
