"""The names that the expressions of one op can mention."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from opgen.model.compute.dtypes import TensorTypes
from opgen.model.op import Argument, Output
from opgen.model.tensor_contract.guards import implications
from opgen.model.tensors import BindPack, BindSize, SolveSize, TensorContract
from opgen.records import dataclass
from opgen.schema.types import is_integer
from opgen.source import Location
from opgen.spec.library import OpSpec, TensorEntry


@dataclass(frozen=True)
class ExpressionContext:
    """An op as its expressions see it.

    Attributes:
        spec: the op's entry in ``ops.yaml``, with the entries of ``tensors`` that were derived.
        arguments: the arguments by name, in the order of the schema.
        outputs: the outputs, one for each return.
        contract: the tensor contract.
    """

    spec: OpSpec
    arguments: Mapping[str, Argument]
    outputs: tuple[Output, ...]
    contract: TensorContract

    @cached_property
    def types(self) -> TensorTypes:
        """The element types of the tensors."""
        return TensorTypes(self.contract)

    @cached_property
    def fresh(self) -> tuple[Output, ...]:
        """The outputs that aren't arguments."""
        return tuple(output for output in self.outputs if output.alias_of is None)

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The written arguments but for scratch."""
        return tuple(name for name, argument in self.arguments.items() if argument.written and not argument.scratch)

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The tensors that need an expression: written arguments without scratch, then fresh outputs."""
        return (*self.written, *(output.name for output in self.fresh))

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """The keys that an author may use for a target (``return``, ``return.0``) -> its name."""
        keys = {f"return.{place}": output.name for place, output in enumerate(self.outputs) if output.alias_of is None}
        if len(self.outputs) == 1 and self.fresh:
            keys["return"] = self.fresh[0].name
        for output, result in zip(self.outputs, self.spec.schema.returns, strict=True):
            if output.alias_of is None and result.name is not None:
                keys.setdefault(result.name, output.name)
        return {**keys, **{name: name for name in self.written}}

    @cached_property
    def entries(self) -> Mapping[str, TensorEntry]:
        """The entries of ``tensors`` by the name of the argument or output."""
        keys = self.keys
        return {keys.get(entry.key.value, entry.key.value): entry for entry in self.spec.tensors}

    @cached_property
    def sizes(self) -> frozenset[str]:
        """The sizes that every call binds, without packs."""
        bound = [step for step in self.contract.steps if not step.given and not step.when]
        names = {step.check.name for step in bound if isinstance(step.check, BindSize | SolveSize)}
        integers = {name for name, each in self.arguments.items() if is_integer(each.type) and not each.is_optional}
        return frozenset(names | integers)

    @cached_property
    def packs(self) -> frozenset[str]:
        """The packs that ``tensors`` names: ``batch`` of ``*batch``."""
        return frozenset(step.check.name for step in self.contract.steps if isinstance(step.check, BindPack))

    @cached_property
    def implied(self) -> frozenset[tuple[str, str]]:
        """Pairs of optional arguments of which the second is always given if the first is, by ``checks``."""
        pairs = implications(check.condition for check in self.spec.checks)
        return frozenset((a, b) for a, b in pairs if isinstance(a, str) and isinstance(b, str))

    def known(self, given: frozenset[str]) -> frozenset[str]:
        """Return all optional arguments that must be given if the arguments in ``given`` are."""
        while more := frozenset(b for a, b in self.implied if a in given) - given:
            given |= more
        return given

    @property
    def place(self) -> Location:
        """The place for findings about the expressions as a whole."""
        return next(
            (self.spec.keys[key] for key in ("pointwise", "reduce") if key in self.spec.keys), self.spec.location
        )

    def is_target(self, name: str) -> bool:
        """Whether a name is that of a target."""
        return name in self.targets
