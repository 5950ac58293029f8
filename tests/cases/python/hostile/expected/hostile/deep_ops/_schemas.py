"""The operators, and their definition in PyTorch's dispatcher."""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

import hashlib
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
        "hostile",
        "Tensor(Tensor x, int torch_=1, ScalarType torch=float32, int[2] float=1) -> Tensor",
        twin=None,
        tags=("needs_exact_strides",),
        kernels=("CPU",),
    ),
    Operator("hostile", "_bare(Tensor x) -> Tensor", twin=None, tags=("needs_exact_strides",), kernels=("CPU",)),
    Operator(
        "hostile",
        "a_name_that_is_quite_long_so_that_nothing_fits_on_a_line(Tensor a_first_argument_with_a_name, Tensor a_second_argument_with_a_name, SymInt a_third_argument_with_a_name) -> Tensor",
        twin=None,
        tags=("needs_exact_strides",),
        kernels=("CPU",),
    ),
    Operator("hostile", "bare(Tensor x) -> Tensor", twin=None, tags=("needs_exact_strides",), kernels=("CPU",)),
    Operator(
        "hostile",
        "float(Tensor x, float eps=1.0) -> Tensor",
        twin=None,
        tags=("needs_exact_strides",),
        kernels=("CPU",),
    ),
    Operator(
        "hostile",
        "lambda(Tensor await, *, Tensor? torch=None, int from=3) -> Tensor",
        twin=None,
        tags=("needs_exact_strides",),
        kernels=("CPU",),
    ),
    Operator(
        "hostile",
        "lambda.async(Tensor len, float large=1e300, float negative=-0.0, ScalarType t=float32, int[2] pad=1, int[] none=[], complex z=1.0j) -> Tensor",
        twin=None,
        tags=("needs_exact_strides",),
        kernels=("CPU",),
    ),
    Operator(
        "hostile",
        'mutate(Tensor(a!)[] caches, Tensor(b!)? state, Device device="cpu") -> ()',
        twin=None,
        tags=("needs_exact_strides",),
        kernels=("CPU",),
    ),
    Operator(
        "hostile",
        'words(Tensor x, str mode="it\'s \\"quoted\\"", str? kind=None) -> (Tensor a, Tensor? b, int c)',
        twin=None,
        tags=("needs_exact_strides",),
        kernels=("CPU",),
    ),
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


def _define(operator: Operator) -> bool:
    """Define one operator; False where another copy of this package has done so.

    Raises:
        ImportError: there is an operator of this name with another schema.
    """
    existing = find(operator.name)
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


# What this copy of the package has defined, and so has to serve.
DEFINED = tuple(operator for operator in OPERATORS if _define(operator))
