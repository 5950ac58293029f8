"""The Python half of a generated library: which operators its ``_schemas.py`` defines. It is read, not run."""

from __future__ import annotations

import ast
import hashlib

from opgen.audit.binary import Kernel
from opgen.records import dataclass

SCHEMAS_FILE = "_schemas.py"


@dataclass(frozen=True, slots=True)
class Declared:
    """What a package defines.

    Attributes:
        path: of the file, as it is shown.
        ops: ``namespace::schema`` of each operator.
        kernels: those that its binaries are to have.
    """

    path: str
    ops: tuple[str, ...]
    kernels: tuple[Kernel, ...]

    @property
    def schema_hash(self) -> str:
        """The hash of the schemas that have compiled kernels, as the module computes it when it is imported."""
        return hash_of(tuple(dict.fromkeys(kernel.schema for kernel in self.kernels)))


def hash_of(schemas: tuple[str, ...]) -> str:
    """Return the hash of ``namespace::schema`` texts in the order given: ``opgen.targets.schema_hash``."""
    return hashlib.sha256("".join(f"{schema}\n" for schema in schemas).encode()).hexdigest()


def read_declared(path: str, text: str) -> Declared | None:
    """Read the table of a ``_schemas.py``; ``None`` where it is not one that opgen wrote."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "OPERATORS":
            calls = node.value.elts if isinstance(node.value, ast.Tuple) else ()
            try:
                found = [_operator(call) for call in calls if isinstance(call, ast.Call)]
            except (ValueError, KeyError):  # a table of another kind
                return None
            ops = tuple(op for op, _ in found)
            return Declared(path, ops, tuple(Kernel(key, op) for op, keys in found for key in keys))
    return None


def _operator(call: ast.Call) -> tuple[str, tuple[str, ...]]:
    namespace, schema = (ast.literal_eval(argument) for argument in call.args[:2])
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    return f"{namespace}::{schema}", ast.literal_eval(keywords["kernels"])
