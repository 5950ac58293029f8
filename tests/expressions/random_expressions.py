"""Libraries of random expressions, all of them sound: every function, operator, kind and broadcast of the language.

What jumps (comparisons, rounding, casts, ``//``) is only asked of values that all backends compute alike to the last bit:
arguments, and what is made of them without rounding. So results differ by rounding alone, however they were computed.
"""

from random import Random

_FLOATS = ("x", "y", "r", "c", "alpha", "0.5", "2.0", "-1.5", "0.0", "3", "pi")
_INTS = ("i", "j", "k", "0", "1", "5", "index(n)", "index(m)", "n")
_SMOOTH = """
    exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    erf erfc sigmoid silu gelu gelu_tanh softplus square
""".split()
_EXACT = ("abs", "relu", "floor", "ceil", "round", "trunc", "sign")
_TENSORS = {
    "x": ("float32", "bfloat16", "float16", "float32", "float64"),
    "y": ("float32", "float16", "bfloat16", "float64"),
    "i": ("int32", "int64", "uint8", "int16", "int8"),
    "j": ("int32", "int64", "int8", "uint8"),
}


class Expressions:
    """Random expressions over the arguments of ``library``."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def any(self) -> tuple[str, str]:
        """An expression and its kind."""
        kind = self.random.choice(("float", "float", "float", "int", "bool"))
        return kind, self.of_kind(kind, self.random.randint(1, 4))

    def of_kind(self, kind: str, depth: int) -> str:
        return {"float": self.float, "int": self.int, "bool": self.bool}[kind](depth)

    def float(self, depth: int) -> str:
        """A floating-point value, rounded however often."""
        if depth <= 0 or self.random.random() < 0.1:
            return self.exact(depth)
        inner = depth - 1
        match self.random.randrange(12):
            case 0 | 1 | 2 | 3:
                return f"({self.float(inner)} {self.random.choice('+-*/')} {self.float(inner)})"
            case 4 | 5 | 6:
                return f"{self.random.choice(_SMOOTH)}({self.float(inner)})"
            case 7:
                return f"({self.float(inner)} if {self.bool(inner)} else {self.float(inner)})"
            case 8:
                return f"{self.random.choice(('maximum', 'minimum', 'atan2'))}({self.float(inner)}, {self.float(inner)})"
            case 9:
                return f"({self.exact(inner)} ** {self.random.choice(('2', '3', '0.5', '-1', '-2', 'x', '1.5'))})"
            case 10:
                return f"({self.exact(inner)} {self.random.choice('+-*/')} {self.int(inner)})"
            case _:
                return f"where({self.bool(inner)}, {self.float(inner)}, {self.exact(inner)})"

    def exact(self, depth: int) -> str:
        """A floating-point value that every backend computes alike."""
        if depth <= 0:
            return self.random.choice(_FLOATS)
        inner = depth - 1
        match self.random.randrange(8):
            case 0 | 1:
                return f"{self.random.choice(_EXACT)}({self.exact(inner)})"
            case 2:
                return f"{self.random.choice(('maximum', 'minimum', 'copysign'))}({self.exact(inner)}, {self.exact(inner)})"
            case 3:
                return f"clamp({self.exact(inner)}, -2.5, 3)"
            case 4:
                return f"({self.exact(inner)} if {self.bool(inner)} else {self.exact(inner)})"
            case 5:
                return f"{self.random.choice(('float32', 'bfloat16', 'float16'))}({self.exact(inner)})"
            case 6:
                return f"fmod({self.random.choice('xyr')}, {self.random.choice(('y', '3.0', '-0.75'))})"
            case _:
                return f"-{self.random.choice('xyrc')}"

    def int(self, depth: int) -> str:
        if depth <= 0:
            return self.random.choice(_INTS)
        inner = depth - 1
        match self.random.randrange(10):
            case 0 | 1 | 2:
                return f"({self.int(inner)} {self.random.choice('+-*')} {self.int(inner)})"
            case 3:
                return f"({self.int(inner)} {self.random.choice(('&', '|', '^'))} {self.int(inner)})"
            case 4:
                return f"({self.int(inner)} {self.random.choice(('//', '%'))} ((j & 7) + 1))"
            case 5:
                return f"{self.random.choice(('maximum', 'minimum'))}({self.int(inner)}, {self.int(inner)})"
            case 6:
                return f"{self.random.choice(('abs', 'sign', 'square', '-', '~'))}({self.int(inner)})"
            case 7:
                return f"({self.int(inner)} {self.random.choice(('<<', '>>'))} (j & 3))"
            case 8:
                bounded = f"clamp({self.exact(inner)}, -100.0, 100.0)"
                return f"{self.random.choice(('int32', 'int64', 'int8'))}(0.0 if isnan({bounded}) else {bounded})"
            case _:
                return f"({self.int(inner)} if {self.bool(inner)} else {self.int(inner)})"

    def bool(self, depth: int) -> str:
        if depth <= 0:
            return self.random.choice(("b", "b", "x < y", "i >= 0", "given(w)"))
        inner = depth - 1
        match self.random.randrange(7):
            case 0 | 1:
                return f"({self.exact(inner)} {self.random.choice(('<', '<=', '>', '>=', '==', '!='))} {self.exact(inner)})"
            case 2:
                return f"({self.int(inner)} {self.random.choice(('<', '==', '!='))} {self.int(inner)})"
            case 3:
                return f"{self.random.choice(('isnan', 'isinf', 'isfinite'))}({self.exact(inner)})"
            case 4:
                return f"(not {self.bool(inner)})"
            case 5:
                return f"({self.exact(inner)} < {self.exact(inner)} <= {self.exact(inner)})"
            case _:
                return f"({self.bool(inner)} {self.random.choice(('and', 'or'))} {self.bool(inner)})"


def library(seed: int, ops: int, outputs: int, dispatch: str = "{CPU: cpp}") -> str:
    """An ``ops.yaml`` with so many ops ``e0``, ``e1``, ..., each of which computes so many random expressions.

    Their arguments are tensors of several shapes and dtypes that are broadcast, an optional one, and numbers.
    """
    lines = ["opgen: 1", "namespace: randomly", "defaults: {autograd: none}", "ops:"]
    for number in range(ops):
        lines += _op(number, seed, Expressions(Random(f"{seed} {number}")), outputs, dispatch)
    return "\n".join(lines) + "\n"


def dtypes(seed: int, number: int) -> dict[str, str]:
    """The dtype of each tensor argument of one of these ops, by torch's name."""
    random = Random(f"dtypes {seed} {number}")
    chosen = {name: random.choice(choices) for name, choices in _TENSORS.items()}
    return {**chosen, "r": chosen["x"], "c": "float32", "b": "bool", "w": "float32"}


def _op(number: int, seed: int, expressions: Expressions, outputs: int, dispatch: str) -> list[str]:
    of = dtypes(seed, number)
    held = {"float": "float64" if "float64" in of.values() else "float32", "int": "int64", "bool": "bool"}
    values = [expressions.any() for _ in range(outputs)]
    returns = ", ".join(f"Tensor o{place}" for place in range(outputs))
    arguments = "Tensor x, Tensor y, Tensor r, Tensor c, Tensor i, Tensor j, Tensor b, Tensor? w, float alpha, int k"
    dims = {"x": "[m, n]", "y": "[m, n]", "r": "[n]", "c": "[m]", "i": "[m, n]", "j": "[n]", "b": "[m, n]", "w": "[n]"}
    tensors = {name: f"{of[name]} {shape}" for name, shape in dims.items()}
    tensors |= {f"o{place}": f"{held[kind]} [m, n]" for place, (kind, _) in enumerate(values)}
    return [
        f"  - func: e{number}({arguments}) -> ({returns})",
        f"    dispatch: {dispatch}",
        "    tensors:",
        *(f'      {name}: "{text}"' for name, text in tensors.items()),
        "    pointwise:",
        *(f'      o{place}: "{text}"' for place, (_, text) in enumerate(values)),
    ]
