"""The contents of an ``ops.yaml`` as dataclasses, value by value with locations; ``opgen.model`` gives them meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal, TypeAlias

from opgen.records import dataclass
from opgen.schema.nodes import FunctionSchema
from opgen.source import Location, Text
from opgen.spec.expression import Expression
from opgen.spec.tensor_spec import Dtype, TensorForm

if TYPE_CHECKING:  # few ops need it, and it takes long to import
    from opgen.spec.kernel_expression import Written

KernelKind: TypeAlias = Literal["cpp", "cuda", "triton", "python"]
Abi: TypeAlias = Literal["stable", "classic"]
DefineIn: TypeAlias = Literal["python", "both", "cpp"]


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """One entry of ``tensors``: the key (an argument, ``return``, a return's name, ``return.1``) and its contract."""

    key: Text
    text: Text
    form: TensorForm


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One entry of ``checks``: a condition over sizes and scalars, and the author's message or ``None``."""

    text: Text
    condition: Expression
    message: str | None = None


@dataclass(frozen=True, slots=True)
class KernelEntry:
    """One entry of ``pointwise`` or ``reduce``; ``key`` is ``None`` for a single expression without a name."""

    key: Text | None
    text: Text
    expression: Written


@dataclass(frozen=True, slots=True)
class DispatchEntry:
    """One entry of ``dispatch``: a dispatch key, a kernel kind, perhaps an existing function.

    Attributes:
        key: ``CPU``, ``CUDA``, ``CompositeExplicitAutograd``, ...
        kind: the language of the kernel.
        symbol: a qualified C++ function instead of the default ``NAMESPACE::cpu::NAME``; ``module:function`` in Python.
        file: an existing file with the kernel, relative to the main file, instead of the default one.
        allocates: the function returns fresh tensors instead of filling preallocated ones.
    """

    key: Text
    kind: KernelKind
    symbol: str | None = None
    file: Text | None = None
    allocates: bool = False


@dataclass(frozen=True, slots=True)
class TestSettings:
    """The settings of generated tests, ``tests``.

    Attributes:
        sizes: size name -> values to try.
        tolerance: dtype name -> (rtol, atol).
        samples: ``module:function`` that yields samples, for ops whose samples can't be derived.
        xfail: test name -> the reason why it is expected to fail (strictly: passing is a failure).
        skip: the reason why no generated test can run the op.
    """

    sizes: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    tolerance: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    samples: str | None = None
    xfail: Mapping[str, str] = field(default_factory=dict)
    skip: str | None = None


@dataclass(frozen=True, slots=True)
class AutogradFormula:
    """One entry of an ``autograd`` mapping: the arguments whose gradients it gives, and the formula."""

    arguments: tuple[Text, ...]
    formula: Text


@dataclass(frozen=True, slots=True)
class OpSpec:
    """One entry of ``ops``; most fields have the names of the keys in ``ops.yaml``, which ``op_keys`` describes.

    ``None`` means that the key is stated neither here nor under ``defaults``.

    Attributes:
        func: the text of the schema.
        schema: its syntax tree.
        location: the location of the whole entry.
        autograd: a word, or formulas as in ``derivatives.yaml``.
        keys: key -> its location, for the keys in this entry, not those from ``defaults``.
        unread: the keys with mistakes in their value, so that rules must not conclude anything from missing parts.
        layers: dispatch key -> ``module:function``, or ``fallthrough``.
        torch_dispatch: class -> rule, each as ``module:name``.
        pointwise: the values at each point, from which kernels and reference are generated.
        reduce: the reductions that ``pointwise`` mentions, or that are results.
    """

    func: Text
    schema: FunctionSchema
    location: Location
    keys: Mapping[str, Location] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    doc: str | None = None
    tensors: tuple[TensorEntry, ...] = ()
    checks: tuple[CheckEntry, ...] = ()
    reference: Text | None = None
    fake: Text | None = None
    dispatch: tuple[DispatchEntry, ...] | None = None
    pointwise: tuple[KernelEntry, ...] = ()
    reduce: tuple[KernelEntry, ...] = ()
    autogen: tuple[Text, ...] = ()
    autograd: Text | tuple[AutogradFormula, ...] | None = None
    output_differentiability: tuple[bool, ...] | None = None
    overwrites: tuple[Text, ...] = ()
    scratch: tuple[Text, ...] = ()
    may_overlap: tuple[Text, ...] = ()
    alias_safe: bool = False
    resize_out: bool = False
    autocast: Text | None = None
    vmap: Text | None = None
    layers: Mapping[str, Text] = field(default_factory=dict)
    torch_dispatch: Mapping[str, Text] = field(default_factory=dict)
    tags: tuple[Text, ...] = ()
    side_effects: bool = False
    registered: Text | None = None
    abi: Abi | None = None
    tests: TestSettings = TestSettings()


@dataclass(frozen=True, slots=True)
class LibrarySpec:
    """A whole library: the top level of ``ops.yaml``, its includes joined.

    Attributes:
        path: the main file, as shown to the user.
        files: every file that was read, the main one first; for depfiles.
        version: the version of the format (``opgen: 1``).
        namespace: the default namespace, ``torch.ops.<namespace>``.
        package: the Python package to emit, perhaps dotted; by default ``<namespace>_ops``.
        torch: the oldest torch release to load on, as ``(2, 10)``.
        abi: the ABI of ops that don't state one.
        define_in: where schemas are defined: in the Python package, or with ``both`` also in a binary of definitions.
        dtypes: the library's own sets of dtypes, by name.
        opaque_types: names of opaque types that schemas may use.
        imports: modules that the package imports first.
        tag_out: whether out= ops are defined with ``torch.Tag.out``.
        keys: key -> its location in the main file.
        unread: the keys with mistakes in their value.
        ops: the entries of ``ops`` of all files.
    """

    path: str
    files: tuple[str, ...]
    version: int
    namespace: Text
    package: str
    torch: tuple[int, int] = (2, 10)
    abi: Abi = "stable"
    define_in: DefineIn = "python"
    dtypes: Mapping[str, Dtype] = field(default_factory=dict)
    opaque_types: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    tag_out: bool = False
    keys: Mapping[str, Location] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    ops: tuple[OpSpec, ...] = ()
