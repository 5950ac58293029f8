"""Derives the members of a family: each is built as a declared op would be, and then gets the declared op's kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias, get_args

from opgen.diagnostics import Diagnostic, has_errors
from opgen.model.codes import IMPOSSIBLE_VARIANT
from opgen.model.contract import Contract
from opgen.model.family.entries import as_inputs, as_outs, as_results, entry_of
from opgen.model.family.names import Form, forms_of
from opgen.model.family.refusals import Refusal, contract_refusals, refusals
from opgen.model.family.roles import Roles
from opgen.model.family.schemas import allocating_schema, derived_schema
from opgen.model.op import Derivation, Layout, Op, Slot
from opgen.model.tensors import CheckAligned, CheckContiguous, CheckStride, CheckStridesLike, OutputSpec
from opgen.records import dataclass
from opgen.schema.nodes import FunctionSchema, OperatorName
from opgen.schema.printer import print_schema
from opgen.source import DerivedText, Location, Text
from opgen.spec.library import OpSpec, TensorEntry
from opgen.spec.tensor_spec import LayoutAligned, TensorSpec

Build: TypeAlias = Callable[[OpSpec], tuple[Op, list[Diagnostic]]]

_CONCLUDED_FROM = frozenset({"tensors", "dispatch", "registered", "overwrites", "scratch"})
_LAYOUTS = get_args(Layout)


def derive_members(op: Op, build: Build) -> tuple[list[Op], list[Diagnostic]]:
    """Derive the forms that an op lists under ``autogen``.

    Args:
        op: a declared op without errors.
        build: resolves an entry of ``ops``.

    Returns:
        The members, and a diagnostic for each form that can't be derived; none if the cause may be a value in
        ``ops.yaml`` that couldn't be read, which has been reported.
    """
    members: list[Op] = []
    found: list[Diagnostic] = []
    family = _Family(op, build)
    for name in op.spec.autogen:
        member = family.member(name)
        if isinstance(member, Op):
            members.append(member)
        elif op.spec.unread.isdisjoint(_CONCLUDED_FROM) and not op.tensors.unsupported:
            message = f"`{name.value}` can't be derived from this op: {member.reason}"
            help_ = member.help or IMPOSSIBLE_VARIANT.remedy
            found.append(Diagnostic(IMPOSSIBLE_VARIANT, message, name.locate(), help_, op.qualified_name))
    return members, found


def with_resizing(op: Op, build: Build) -> Op | Diagnostic:
    """Return a declared op, prepared for ``resize_out`` if it asks for that, or why its outs can't be resized."""
    if not (op.spec.resize_out and op.contract is Contract.OUT):
        return op
    made = _Family(op, build).allocating
    if isinstance(made, Op) and all(isinstance(spec, OutputSpec) for spec in made.tensors.outputs.values()):
        return replace(op, resizing=made)
    reason = made.reason if isinstance(made, Refusal) else "its outs are made by condition"
    help_ = "state the sizes of each out by those of the inputs, or leave `resize_out` out"
    place = op.spec.keys.get("resize_out", op.location)
    return Diagnostic(IMPOSSIBLE_VARIANT, f"`resize_out` can't be served: {reason}", place, help_, op.qualified_name)


@dataclass(frozen=True)
class _Family:
    """The family of a declared op, and the function that builds further ops."""

    op: Op
    build: Build

    @cached_property
    def roles(self) -> Roles:
        return Roles(self.op)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.roles.inputs)

    @cached_property
    def allocating(self) -> Op | Refusal:
        """The form that returns everything the kernel fills, from whose contract each of these can be allocated."""
        if self.op.contract is Contract.FUNCTIONAL:
            return self.op
        name = OperatorName(self.op.name, "allocating", self.op.schema.name.namespace)
        entries = (
            *as_inputs(self.op, self.inputs),
            *as_results(self.op, (*self.roles.destinations, *self.roles.scratch)),
        )
        return self._build(allocating_schema(self.roles, name), entries, self.op.location)

    def member(self, asked: Text) -> Op | Refusal:
        """Derive the form with this name."""
        kind = self._kind(asked)
        if isinstance(kind, Refusal):
            return kind
        form, name = kind
        if refusal := next(refusals(self.roles, form), None):
            return refusal
        allocating = self.allocating
        if isinstance(allocating, Refusal):
            return allocating
        if refusal := next(contract_refusals(self.roles, form, allocating), None):
            return refusal
        schema = derived_schema(self.roles, form, name)
        member = self._build(schema, (*as_inputs(self.op, self.inputs), *self._filled(form)), asked.locate())
        if isinstance(member, Op):
            derivation = Derivation(self.op, tuple(self._slots(form, allocating)))
            resizing = allocating if form is Form.OUT and self.op.spec.resize_out else None
            member = replace(
                member,
                kernels=self.op.kernels,
                reference=self.op.reference,
                derivation=derivation,
                resizing=resizing,
            )
        return member

    def _kind(self, asked: Text) -> tuple[Form, OperatorName] | Refusal:
        """Return the kind of form that a name asks for."""
        if self.op.contract in {Contract.VIEW, Contract.IRREGULAR}:
            return Refusal(f"it is {self.op.contract.value}")
        if self.op.contract is Contract.INPLACE:
            return Refusal(
                "its kernel reads what it writes", "declare the functional or out= form, and derive this one"
            )
        forms = forms_of(self.op)
        *others, last = (f"`{name}`" for name in forms)
        refusal = Refusal(f"the forms of `{self.op.name}` are {', '.join(others)} and {last}", "use one of these names")
        return forms.get(asked.value.removeprefix(f"{self.op.namespace}::"), refusal)

    def _build(self, schema: FunctionSchema, entries: Iterable[TensorEntry], place: Location) -> Op | Refusal:
        """Build a derived op; a mistake in it becomes the reason why the form is refused."""
        spec = self.op.spec
        names = {argument.name for argument in schema.arguments}
        derived = replace(
            spec,
            func=DerivedText.at(print_schema(schema), place),
            schema=schema,
            location=place,
            keys={},
            tensors=tuple(entries),
            fake=spec.fake if self.op.fake == "none" else None,
            pointwise=(),
            reduce=(),
            autogen=(),
            overwrites=(),
            scratch=(),
            may_overlap=tuple(name for name in spec.may_overlap if name.value in names),
        )
        op, found = self.build(derived)
        return Refusal(found[0].message, found[0].help) if has_errors(found) else op

    def _filled(self, form: Form) -> Iterator[TensorEntry]:
        match form:
            case Form.FUNCTIONAL:
                yield from as_results(self.op, self.roles.destinations)
            case Form.OUT:
                yield from as_outs(self.op, self.roles.destinations)

    def _slots(self, form: Form, allocating: Op) -> Iterator[Slot]:
        for name in self.roles.destinations:
            target = self.inputs[0] if form is Form.INPLACE else name
            spec = _made_always(allocating, name)
            layout = () if form is Form.FUNCTIONAL else tuple(self._layout(name, spec))
            yield Slot(name, target, spec, tuple(replace(check, tensor=target) for check in layout))
        for name in self.roles.scratch:
            yield Slot(name, None, _made_always(allocating, name))

    def _layout(self, name: str, spec: OutputSpec) -> Iterator[Layout]:
        """Yield the layouts that the kernel relies on: those checked of an argument, or promised of an output."""
        if name in self.op.argument:
            checks = (step.check for step in self.op.tensors.steps)
            yield from (check for check in checks if isinstance(check, _LAYOUTS) and check.tensor == name)
            return
        if spec.strides_of is not None:
            yield CheckStridesLike(name, spec.strides_of)
        elif spec.strides is None:
            yield CheckContiguous(name, spec.memory_format)
        yield from (CheckStride(name, dim, stride) for dim, stride in enumerate(spec.strides or ()))
        entry = entry_of(self.op, name)
        if entry is not None and isinstance(entry.form, TensorSpec):
            aligned = (layout for layout in entry.form.layouts if isinstance(layout, LayoutAligned))
            yield from (CheckAligned(name, layout.bytes) for layout in aligned)


def _made_always(op: Op, name: str) -> OutputSpec:
    """Return the contract of an output that has a single case, which ``contract_refusals`` has made sure of.

    Raises:
        TypeError: the contract has several cases.
    """
    spec = op.tensors.outputs[name]
    if not isinstance(spec, OutputSpec):
        raise TypeError(f"{op.qualified_name}: the output {name!r} is made by condition")
    return spec
