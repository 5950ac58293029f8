"""The syntax tree of an operator schema, as written.

Every node has a ``span`` of character offsets in the schema's text. Spans take no part in equality or hash, so that two
spellings of one schema compare equal. The meaning of the parts is documented in
``aten/src/ATen/core/function_schema.h`` and ``alias_info.h``.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from opgen.records import dataclass
from opgen.source import Span

_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Annotation:
    """An alias annotation: ``(a!)``, ``(a -> *)``, ``(a|b)``, or the bare ``!``.

    Attributes:
        before: names of the alias sets before the call; ``"*"`` is the wildcard. Empty for a bare ``!``, which makes a
            fresh set of its own.
        after: the sets after the call where ``->`` was written, else ``None`` (the same as before).
        is_write: whether the value is written (``!``).
    """

    before: tuple[str, ...]
    after: tuple[str, ...] | None
    is_write: bool
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BaseType:
    """A named type: ``Tensor``, ``int``, ``SymInt``, a dotted opaque name."""

    name: str
    annotation: Annotation | None = None
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ClassType:
    """A TorchBind class, ``__torch__.torch.classes.NS.Cls``; ``name`` is the whole dotted name."""

    name: str
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OptionalType:
    """``T?``."""

    element: Type
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListType:
    """``T[]`` or ``T[N]``; an annotation after the brackets belongs to the list, one before them to the element."""

    element: Type
    size: int | None = None
    annotation: Annotation | None = None
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TupleType:
    """``(A, B)``. Annotations inside are read and dropped by PyTorch; here they are kept, so that a rule can say so."""

    elements: tuple[Type, ...]
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GenericType:
    """``Dict(K, V)``, ``Future(T)``, ``Await(T)``, ``RRef(T)`` or ``Union(A, B, ...)``."""

    name: str
    parameters: tuple[Type, ...]
    annotation: Annotation | None = None
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


Type: TypeAlias = BaseType | ClassType | OptionalType | ListType | TupleType | GenericType


@dataclass(frozen=True, slots=True)
class NumberDefault:
    """A number as written, sign included (``-1e-5``), and the value that PyTorch's parser makes of it."""

    text: str
    value: int | float | complex
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class StringDefault:
    """A string; ``value`` is decoded."""

    value: str
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NameDefault:
    """A bare name of PyTorch's constant table (``float32``, ``strided``, ``Mean``) and the integer it stands for."""

    name: str
    value: int
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ConstantDefault:
    """``True``, ``False`` or ``None``."""

    value: bool | None
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ListDefault:
    """``[a, b]``. The single constant of a sized list, ``int[2] pad=1``, is a scalar default instead."""

    items: tuple[ScalarDefault, ...]
    span: Span = field(default=_NOWHERE, compare=False, repr=False)


ScalarDefault: TypeAlias = NumberDefault | StringDefault | NameDefault | ConstantDefault
Default: TypeAlias = ScalarDefault | ListDefault


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; ``kwarg_only`` if it stands behind ``*``."""

    type: Type
    name: str
    default: Default | None = None
    kwarg_only: bool = False
    span: Span = field(default=_NOWHERE, compare=False, repr=False)
    name_span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Return:
    """One returned value, perhaps named."""

    type: Type
    name: str | None = None
    span: Span = field(default=_NOWHERE, compare=False, repr=False)
    name_span: Span = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OperatorName:
    """``namespace::name.overload``; ``str()`` prints it."""

    name: str
    overload: str = ""
    namespace: str | None = None
    span: Span = field(default=_NOWHERE, compare=False, repr=False)

    @property
    def identifier(self) -> str:
        """``name_overload``: an identifier for files and kernels."""
        return f"{self.name}_{self.overload}" if self.overload else self.name

    def __str__(self) -> str:
        namespace = f"{self.namespace}::" if self.namespace else ""
        overload = f".{self.overload}" if self.overload else ""
        return f"{namespace}{self.name}{overload}"


@dataclass(frozen=True, slots=True)
class FunctionSchema:
    """A whole schema. ``is_vararg`` and ``is_varret`` tell whether ``...`` ends its arguments and returns."""

    name: OperatorName
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    is_vararg: bool = False
    is_varret: bool = False
    span: Span = field(default=_NOWHERE, compare=False, repr=False)
    returns_span: Span = field(default=_NOWHERE, compare=False, repr=False)
