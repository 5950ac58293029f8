"""The frozen model: what a library means, every name resolved. Targets read this and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from opgen.model.contract import Contract
from opgen.model.gradients.nodes import Gradients
from opgen.model.kernel import Kernel
from opgen.model.tensors import (
    CheckAligned,
    CheckCondition,
    CheckContiguous,
    CheckStride,
    CheckStridesLike,
    OutputSpec,
    TensorContract,
)
from opgen.records import dataclass
from opgen.schema.nodes import Default, FunctionSchema, OptionalType, Type
from opgen.schema.types import is_tensor, is_tensor_list
from opgen.source import Location
from opgen.spec.expression import Comparison, Expression, Name, opposite
from opgen.spec.library import Abi, LibrarySpec, OpSpec

if TYPE_CHECKING:  # of few ops, and takes long to import
    from opgen.model.compute.nodes import Program


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument, resolved.

    Attributes:
        name: the schema's name: what callers pass by keyword.
        type: the schema's type.
        written: whether the kernel writes it.
        returned_as: index of the output that is this very object, or ``None``.
        overwrites: every element is written, none is read (a destination); so is every out of an out= op.
        scratch: contents mean nothing before or after.
    """

    name: str
    type: Type
    default: Default | None
    kwarg_only: bool
    written: bool
    returned_as: int | None = None
    overwrites: bool = False
    scratch: bool = False

    @property
    def is_tensor(self) -> bool:
        """Whether it is ``Tensor`` or ``Tensor?``, not a list."""
        return is_tensor(self.type)

    @property
    def is_tensor_list(self) -> bool:
        """Whether it is a list of tensors or of optional tensors, perhaps optional itself."""
        return is_tensor_list(self.type)

    @property
    def is_optional(self) -> bool:
        """Whether ``None`` may be passed."""
        return isinstance(self.type, OptionalType)


@dataclass(frozen=True, slots=True)
class Output:
    """One returned value.

    Attributes:
        name: the return's name, else ``out`` for a single one and ``out0``, ``out1``, ... for several; never the name
            of an argument that it is not.
        type: the schema's type.
        alias_of: name of the argument that it is (of a view: whose memory it shares), or ``None`` for a fresh value.
    """

    name: str
    type: Type
    alias_of: str | None = None


Layout: TypeAlias = CheckContiguous | CheckStride | CheckStridesLike | CheckAligned


@dataclass(frozen=True)
class Slot:
    """A tensor that the kernel of a family fills, as one member of the family sees it.

    Attributes:
        parameter: what the declared op calls it: an argument or an output.
        target: the written argument or the output of the member that it is, ``None`` for scratch.
        spec: how it is made, where the kernel can't be given the target itself.
        layout: what the kernel relies on, said of the target.
    """

    parameter: str
    target: str | None
    spec: OutputSpec
    layout: tuple[Layout, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """Where a derived op comes from: ``declared`` has the kernels, of which each fills the ``slots``."""

    declared: Op
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Op:
    """One operator, resolved.

    Attributes:
        tensors: the tensor contract and the plan that checks it.
        kernels: one a dispatch key.
        tags: names of ``torch.Tag`` members to define it with, sorted; those of contract and layout are derived.
        reference: a Python expression over the arguments, or ``module:function``; ``None`` if not stated.
        fake: ``module:function``, ``"none"``, or ``None`` where it is derived from the contract.
        spec: what was written; of a derived op what would have been.
        derivation: how it is served by the kernel of the op that lists it under ``autogen``; ``None`` if declared.
        resizing: of an out= op the form whose results are its outs, where those without elements are resized by it.
        program: what its kernels compute, where they are generated from expressions; ``None`` where they are written by
            hand, and of derived ops, which have the kernels of the declared one.
        gradients: its formulas; of a derived in-place op those of the functional form that it goes through for them.
    """

    namespace: str
    schema: FunctionSchema
    contract: Contract
    arguments: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    tensors: TensorContract
    kernels: tuple[Kernel, ...]
    tags: tuple[str, ...]
    abi: Abi
    doc: str
    reference: str | None
    fake: str | None
    spec: OpSpec
    derivation: Derivation | None = None
    resizing: Op | None = None
    gradients: Gradients | None = None
    program: Program | None = None

    @property
    def name(self) -> str:
        """The name without namespace and overload."""
        return self.schema.name.name

    @property
    def overload(self) -> str:
        """The overload's name, or the empty string."""
        return self.schema.name.overload

    @property
    def qualified_name(self) -> str:
        """``namespace::name.overload``, as diagnostics and ``torch.ops`` spell it."""
        return f"{self.namespace}::{self.name}" + (f".{self.overload}" if self.overload else "")

    @property
    def identifier(self) -> str:
        """``name_overload``: the kernel's name, and of everything generated for this op."""
        return self.schema.name.identifier

    @property
    def declared(self) -> Op:
        """The op that has the kernels: itself, or the one that it is derived from."""
        return self.derivation.declared if self.derivation else self

    @property
    def is_derived(self) -> bool:
        """Whether it comes from another op's ``autogen``."""
        return self.derivation is not None

    @property
    def twin(self) -> str | None:
        """Name of the hidden form ``-> ()`` of an in-place or out= op, ``None`` for the others.

        ``add_`` has ``_add__write``, ``add.out`` has ``_add_out_write``: the same arguments and kernel, nothing
        returned. PyTorch functionalises that form on every release, so compiled and exported graphs hold it.
        """
        has_twin = self.contract in {Contract.INPLACE, Contract.OUT}
        return f"_{self.identifier}_write" if has_twin else None

    @property
    def registered(self) -> str | None:
        """The source file in which schema and kernels stay hand-written, ``None`` for an op that is generated."""
        return None if self.spec.registered is None else self.spec.registered.value

    @property
    def is_compiled(self) -> bool:
        """Whether a kernel of it is part of a binary."""
        return any(kernel.is_compiled for kernel in self.kernels)

    @property
    def location(self) -> Location:
        """Where ``func`` stands."""
        return self.spec.func.locate()

    @cached_property
    def asked(self) -> tuple[Expression, ...]:
        """The conditions that the forms of its tensors ask, of each and its opposite the first."""
        found: dict[Expression, None] = {}
        ways = (when for form in self.tensors.outputs.values() for when, _ in form.ways)
        for conditions in (*(step.when for step in self.tensors.steps), *ways):
            for condition in conditions:
                if opposite(condition) not in found:
                    found[condition] = None
        return (*found,)

    @cached_property
    def conditions(self) -> tuple[Expression, ...]:
        """The conditions that an author wrote, those of ``tests: {sizes: {max_len: [total]}}`` included."""
        checks = (step.check for step in self.tensors.steps if not step.when)
        written = (check.condition for check in checks if isinstance(check, CheckCondition))
        sizes = ((name, value) for name, values in self.spec.tests.sizes.items() for value in values)
        equal = (Comparison(("==",), (Name(name), Name(value))) for name, value in sizes if isinstance(value, str))
        return (*written, *equal)

    @cached_property
    def argument(self) -> Mapping[str, Argument]:
        """The arguments by name."""
        return {argument.name: argument for argument in self.arguments}

    @cached_property
    def written(self) -> tuple[Argument, ...]:
        """The written arguments, in schema order."""
        return tuple(argument for argument in self.arguments if argument.written)

    @cached_property
    def tensor_arguments(self) -> tuple[Argument, ...]:
        """The arguments that are tensors or lists of tensors, in schema order."""
        return tuple(argument for argument in self.arguments if argument.is_tensor or argument.is_tensor_list)

    @cached_property
    def fresh_outputs(self) -> tuple[Output, ...]:
        """The outputs that are no argument: what a kernel fills, or returns."""
        return tuple(output for output in self.outputs if output.alias_of is None)


@dataclass(frozen=True)
class Library:
    """A whole library, ops sorted by qualified name."""

    spec: LibrarySpec
    ops: tuple[Op, ...]

    @property
    def namespace(self) -> str:
        """The default namespace."""
        return self.spec.namespace.value

    @property
    def package(self) -> str:
        """The Python package, perhaps dotted."""
        return self.spec.package

    @cached_property
    def abis(self) -> tuple[Abi, ...]:
        """The ABIs that it has binaries for, by name; the stable one where nothing is compiled."""
        return tuple(sorted({op.abi for op in self.ops if op.is_compiled})) or ("stable",)

    @cached_property
    def overloads(self) -> Mapping[str, tuple[Op, ...]]:
        """The overloads of each ``namespace::name``."""
        return _grouped(self.ops, lambda op: f"{op.namespace}::{op.name}")

    @cached_property
    def families(self) -> Mapping[str, tuple[Op, ...]]:
        """The ops that are served by the kernels of a declared op, by its qualified name: itself first."""
        declared = sorted(self.ops, key=lambda op: op.is_derived)
        return _grouped(declared, lambda op: op.declared.qualified_name)

    def functional_form(self, op: Op) -> Op | None:
        """Return the op of the same family that writes nothing: itself, or one that is derived."""
        members = self.families.get(op.declared.qualified_name, ())
        return next((member for member in members if member.contract is Contract.FUNCTIONAL), None)

    @cached_property
    def by_identifier(self) -> Mapping[str, tuple[Op, ...]]:
        """The ops of each identifier in lower case; more than one collide in file names."""
        return _grouped(self.ops, lambda op: op.identifier.lower())


def _grouped(ops: Iterable[Op], key: Callable[[Op], str]) -> dict[str, tuple[Op, ...]]:
    groups: dict[str, list[Op]] = {}
    for op in ops:
        groups.setdefault(key(op), []).append(op)
    return {name: tuple(group) for name, group in groups.items()}
