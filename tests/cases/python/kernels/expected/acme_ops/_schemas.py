"""The operators, and their definition in PyTorch's dispatcher."""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

import hashlib
import importlib
import re
from typing import Any, NamedTuple

import torch

from . import _private


class Operator(NamedTuple):
    """One operator.

    ``twin`` is the schema of a hidden operator that does the same and returns nothing: the form in which in-place and
    out= operators enter a traced graph. ``kernels`` are the dispatch keys that the compiled library implements. One with
    ``side_effects`` is never dropped from a graph or moved before another one, though it writes no tensor. A ``classic`` one
    is compiled for one torch release. One that is ``registered`` is defined and implemented by hand, in the source file
    that this names. One without tensors may have a ``device``: the argument by which its kernel is chosen, and the device
    where that is None.
    """

    namespace: str
    schema: str
    twin: str | None
    tags: tuple[str, ...]
    kernels: tuple[str, ...]
    side_effects: bool = False
    classic: bool = False
    registered: str = ""
    device: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """``namespace::name.overload``, as `torch.library` spells it."""
        return f"{self.namespace}::{self.schema.partition('(')[0]}"

    @property
    def twin_name(self) -> str:
        """The same for the twin."""
        return f"{self.namespace}::{(self.twin or '').partition('(')[0]}"


OPERATORS: tuple[Operator, ...] = (
    Operator(
        "acme",
        "add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)",
        twin="_add_out_write(Tensor x, Tensor y, *, Tensor(a!) out) -> ()",
        tags=("needs_exact_strides",),
        kernels=(),
    ),
    Operator(
        "acme",
        "add_(Tensor(a!) x, Tensor y, Tensor? len=None) -> Tensor(a!)",
        twin="_add__write(Tensor(a!) x, Tensor y, Tensor? len=None) -> ()",
        tags=("inplace", "needs_exact_strides"),
        kernels=(),
    ),
    Operator("acme", "halve(Tensor x) -> Tensor", twin=None, tags=(), kernels=(), registered="csrc/binding.cpp"),
    Operator(
        "acme",
        "halve_(Tensor(a!) x) -> Tensor(a!)",
        twin="_halve__write(Tensor(a!) x) -> ()",
        tags=(),
        kernels=(),
        registered="csrc/binding.cpp",
    ),
    Operator(
        "acme",
        "lookup(acme_types.Table table, Tensor keys) -> Tensor",
        twin=None,
        tags=("needs_exact_strides",),
        kernels=(),
    ),
    Operator(
        "acme",
        "positive(Tensor x) -> (Tensor values, Tensor places)",
        twin=None,
        tags=("dynamic_output_shape", "needs_exact_strides"),
        kernels=(),
    ),
    Operator("acme", "scale(Tensor x, float by) -> Tensor", twin=None, tags=("needs_exact_strides",), kernels=()),
    Operator("acme", "twice(Tensor x) -> Tensor", twin=None, tags=("needs_exact_strides",), kernels=()),
)

# Definitions, and what is registered for them, last as long as these objects.
LIBRARIES = {
    namespace: torch.library.Library(namespace, "FRAGMENT")
    for namespace in dict.fromkeys(operator.namespace for operator in OPERATORS)
}


def schema_hash() -> str:
    """Return the digest of the schemas that the compiled library implements; it carries the same one."""
    compiled = (operator for operator in OPERATORS if operator.kernels)
    text = "".join(f"{operator.namespace}::{operator.schema}\n" for operator in compiled)
    return hashlib.sha256(text.encode()).hexdigest()


def find(name: str) -> Any:
    """Return the live operator ``namespace::name.overload``, or None."""
    namespace, _, name = name.partition("::")
    packet, _, overload = name.partition(".")
    found = getattr(getattr(torch.ops, namespace), packet, None)
    return getattr(found, overload or "default", None)


def _import(module: str) -> None:
    """Import what registers operators or types by hand.

    Raises:
        ImportError: it can't be imported.
    """
    try:
        importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{__package__} needs '{module}', which can't be imported: {error}") from error


def _check_registered() -> None:
    """Compare the operators that are registered by hand with their declarations.

    Raises:
        ImportError: some are missing, or have another schema.
    """
    problems = []
    for operator in OPERATORS:
        declared = _private.parse_schema(f"{operator.namespace}::{operator.schema}") if operator.registered else None
        found = getattr(find(operator.name), "_schema", None)
        if declared is not None and (found is None or _spelling(found) != _spelling(declared)):
            there = f"registered: {found}" if found else "it is not registered: is its module imported?"
            problems.append(f"{operator.registered}\n  declared:   {declared}\n  {there}")
    if problems:
        raise ImportError("\n".join([f"{__package__}: operators do not fit their declaration", *problems]))


def _spelling(schema: Any) -> str:
    """Print a schema with its alias sets numbered: their names mean nothing, and ``Tensor!`` has none."""
    sets: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        return f"Tensor({sets.setdefault(match[1], len(sets))}{match[2]})"

    return re.sub(r"Tensor\(([^()! ]*)(!?)[^()]*\)", numbered, str(schema))


def _define(operator: Operator) -> bool:
    """Define one operator; False where another copy of this package has done so.

    Raises:
        ImportError: there is an operator of this name with another schema.
    """
    existing = find(operator.name)
    if operator.registered:
        if operator.twin is not None and find(operator.twin_name) is None:
            LIBRARIES[operator.namespace].define(operator.twin)
        return True
    if existing is not None:
        schema = f"{operator.namespace}::{operator.schema}"
        if existing._schema == _private.parse_schema(schema):
            return False
        raise ImportError(
            f"{__package__} can't define '{schema}', this process has '{existing._schema}' already: "
            "two packages or two versions of one share the namespace"
        )
    # A tag that this release lacks is left out.
    tags = [getattr(torch.Tag, tag) for tag in operator.tags if hasattr(torch.Tag, tag)]
    library = LIBRARIES[operator.namespace]
    library.define(operator.schema, tags=tags)
    if operator.twin is not None:
        library.define(operator.twin)
    return True


_import("acme_binding")
_import("acme_types")
_check_registered()

# What this copy of the package has defined, and so has to serve.
DEFINED = tuple(operator for operator in OPERATORS if _define(operator))
