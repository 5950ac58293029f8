"""The classes of the resolved model: library, op, argument, output. Targets read nothing else."""

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
from opgen.spec.expression import Comparison, Expression, Item, Name, opposite
from opgen.spec.library import Abi, LibrarySpec, OpSpec
from opgen.spec.walk import walk

if TYPE_CHECKING:  # few ops need these, and they take long to import
    from opgen.model.compute.nodes import Program


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument, resolved.

    Attributes:
        name: the name in the schema.
        type: the type in the schema.
        default: the default in the schema, ``None`` without one.
        kwarg_only: it stands behind ``*`` in the schema.
        written: the kernel writes it.
        returned_as: the index of the output that is this argument, as for ``Tensor(a!)``; ``None`` if it isn't
            returned.
        overwrites: it is a destination: every element is written and none is read, as for every out= argument.
        scratch: its contents have no meaning before or after a call.
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
        """Whether it is ``Tensor[]`` or ``Tensor?[]``, optional or not."""
        return is_tensor_list(self.type)

    @property
    def is_optional(self) -> bool:
        """Whether ``None`` may be passed."""
        return isinstance(self.type, OptionalType)


@dataclass(frozen=True, slots=True)
class Output:
    """One returned value.

    Attributes:
        name: the return's name in the schema, else ``out`` for a single one and ``out0``, ``out1``, ... for several; it
            is never the name of an argument, unless it is that argument.
        type: the type in the schema.
        alias_of: the argument that it is (of a view: whose memory it shares); ``None`` for a fresh value.
    """

    name: str
    type: Type
    alias_of: str | None = None


Layout: TypeAlias = CheckContiguous | CheckStride | CheckStridesLike | CheckAligned


@dataclass(frozen=True)
class Slot:
    """A tensor that the kernel of a family fills, in one member of the family.

    Attributes:
        parameter: its name in the declared op: an argument or an output.
        target: the written argument or the output of the member that receives it; ``None`` for scratch.
        spec: the contract by which a fresh tensor or a temporary is allocated for it.
        layout: the layouts that the kernel relies on, as checks of the target; a target that fails one gets a
            temporary.
    """

    parameter: str
    target: str | None
    spec: OutputSpec
    layout: tuple[Layout, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """The origin of a derived op: the declared op, whose kernels fill the ``slots``."""

    declared: Op
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Op:
    """One operator, resolved.

    Attributes:
        namespace: the namespace of ``torch.ops``.
        schema: the parsed schema.
        contract: how it writes and returns its arguments.
        arguments: the arguments in schema order.
        outputs: the outputs, one for each return.
        tensors: the tensor contract and the plan that checks it.
        kernels: one for each dispatch key.
        tags: the names of the ``torch.Tag`` members to define it with, sorted; those of contract and layout are
            derived.
        abi: the ABI that its kernels are compiled for.
        doc: the author's description; empty without one.
        reference: a Python expression over the arguments, or ``module:function``; ``None`` if not stated.
        fake: ``module:function``, ``"none"``, or ``None`` to derive it from the contract.
        spec: the entry in ``ops.yaml``; for a derived op the entry that would declare it.
        derivation: how the kernel of the op that lists it under ``autogen`` serves it; ``None`` for a declared op.
        resizing: for an out= op with ``resize_out`` the form that returns its outs, from whose contract their sizes
            follow; else ``None``.
        gradients: its formulas; for a derived in-place op those of its functional form; ``None`` without formulas.
        program: the program of kernels that are generated from expressions; ``None`` for hand-written kernels, and for
            derived ops, which use the kernels of the declared one.
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
        """``name_overload``: the name of the kernel and of everything generated for this op."""
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
        """The name of the hidden ``-> ()`` twin of an in-place or out= op, ``None`` for other ops.

        ``add_`` has ``_add__write``, ``add.out`` has ``_add_out_write``, with the same arguments and kernel and no
        return. Every PyTorch release can functionalise this form, so it is the one in compiled and exported graphs.
        """
        has_twin = self.contract in {Contract.INPLACE, Contract.OUT}
        return f"_{self.identifier}_write" if has_twin else None

    @property
    def registered(self) -> str | None:
        """The source file in which schema and kernels stay hand-written, ``None`` for an op that is generated."""
        return None if self.spec.registered is None else self.spec.registered.value

    @property
    def is_compiled(self) -> bool:
        """Whether one of its kernels is compiled into a binary."""
        return any(kernel.is_compiled for kernel in self.kernels)

    @property
    def location(self) -> Location:
        """The place of ``func`` in ``ops.yaml``."""
        return self.spec.func.locate()

    @cached_property
    def case_conditions(self) -> tuple[Expression, ...]:
        """The conditions of the cases in its tensor contract (``SPEC if COND else SPEC``), without opposites."""
        found: dict[Expression, None] = {}
        cases = (when for form in self.tensors.outputs.values() for when, _ in form.cases)
        for conditions in (*(step.when for step in self.tensors.steps), *cases):
            for condition in conditions:
                if opposite(condition) not in found:
                    found[condition] = None
        return (*found,)

    @cached_property
    def conditions(self) -> tuple[Expression, ...]:
        """The conditions of ``checks``, and the equalities of sizes in ``tests: {sizes: {max_len: [total]}}``."""
        checks = (step.check for step in self.tensors.steps if not step.when)
        written = (check.condition for check in checks if isinstance(check, CheckCondition))
        sizes = ((name, value) for name, values in self.spec.tests.sizes.items() for value in values)
        equal = (Comparison(("==",), (Name(name), Name(value))) for name, value in sizes if isinstance(value, str))
        return (*written, *equal)

    @cached_property
    def conditions_about(self) -> Mapping[str, tuple[Expression, ...]]:
        """The conditions of an author that read a name, by the name."""
        return _by_name(self.conditions)

    @cached_property
    def asked_about(self) -> Mapping[str, tuple[Expression, ...]]:
        """The conditions that forms ask and that read a name, by the name."""
        return _by_name(self.case_conditions)

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
        """The outputs that aren't arguments, which a kernel fills or returns."""
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
        """The ABIs that it has binaries for, sorted; ``stable`` if nothing is compiled."""
        return tuple(sorted({op.abi for op in self.ops if op.is_compiled})) or ("stable",)

    @cached_property
    def overloads(self) -> Mapping[str, tuple[Op, ...]]:
        """The overloads of each ``namespace::name``."""
        return _grouped(self.ops, lambda op: f"{op.namespace}::{op.name}")

    @cached_property
    def families(self) -> Mapping[str, tuple[Op, ...]]:
        """Declared op by qualified name -> the ops that its kernels serve: itself first, then the derived ones."""
        declared = sorted(self.ops, key=lambda op: op.is_derived)
        return _grouped(declared, lambda op: op.declared.qualified_name)

    def functional_form(self, op: Op) -> Op | None:
        """Return the functional op of the same family, which may be the op itself; ``None`` if there is none."""
        members = self.families.get(op.declared.qualified_name, ())
        return next((member for member in members if member.contract is Contract.FUNCTIONAL), None)

    @cached_property
    def by_identifier(self) -> Mapping[str, tuple[Op, ...]]:
        """The ops by identifier in lower case; several with the same one would collide in file names."""
        return _grouped(self.ops, lambda op: op.identifier.lower())


def _by_name(conditions: Iterable[Expression]) -> dict[str, tuple[Expression, ...]]:
    found: dict[str, list[Expression]] = {}
    for condition in conditions:
        for name in {each.name for each in walk(condition) if isinstance(each, Name | Item)}:
            found.setdefault(name, []).append(condition)
    return {name: tuple(about) for name, about in found.items()}


def _grouped(ops: Iterable[Op], key: Callable[[Op], str]) -> dict[str, tuple[Op, ...]]:
    groups: dict[str, list[Op]] = {}
    for op in ops:
        groups.setdefault(key(op), []).append(op)
    return {name: tuple(group) for name, group in groups.items()}
