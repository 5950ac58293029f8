"""Splits conditional contracts of inputs (``SPEC if COND else SPEC``) into an entry for each branch, with its guard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Declaration, Entry, names_of_form
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.guards import EVERYWHERE, Facts
from opgen.model.tensor_contract.scope import Scope
from opgen.model.tensors import CheckCondition, Step
from opgen.records import dataclass
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import Call, Expression, Item, Name, Not, Size
from opgen.spec.report import Report
from opgen.spec.tensor_spec import NoTensor, SpecIf, TensorForm, TensorSpec
from opgen.spec.walk import walk


@dataclass(frozen=True)
class Branches:
    """Splits the conditional contracts of one op."""

    scope: Scope
    report: Report

    def entries(self, declaration: Declaration) -> tuple[Entry, ...]:
        """Return the entry of each branch; nothing after reporting a mistake in a condition."""
        problems = len(self.report.diagnostics)
        self._check(declaration, declaration.form, declaration.base.facts)
        if len(self.report.diagnostics) == problems:
            return declaration.branches
        self.scope.broken.update(names_of_form(declaration.form))
        return ()

    def absences(self, declaration: Declaration) -> Iterator[Step]:
        """Yield the steps that refuse a tensor in branches whose contract is ``None``."""
        name = declaration.tensor
        absent = CheckCondition(Not(Call("given", (Name(name),))), f"not given({name})")
        for form, guard in declaration.leaves:
            if isinstance(form, NoTensor):
                yield replace(guard, given=guard.given - {name}).step(absent)

    def _check(self, declaration: Declaration, form: TensorForm, facts: Facts) -> None:
        match form:
            case SpecIf(then, condition, otherwise):
                self._check_condition(declaration, condition, facts)
                self._check(declaration, then, facts | EVERYWHERE.under(condition, holds=True).facts)
                self._check(declaration, otherwise, facts | EVERYWHERE.under(condition, holds=False).facts)
            case NoTensor(span) if declaration.argument is not None and not declaration.argument.is_optional:
                message = f"'{declaration.key}' is a Tensor, which is never None"
                self.report.add(codes.NONE_FORM, message, declaration.text.locate(span), "declare it as `Tensor?`")
            case TensorSpec() | NoTensor():
                pass

    def _check_condition(self, declaration: Declaration, condition: Expression, facts: Facts) -> None:
        """Report a condition that reads sizes, since sizes are only bound inside of the branches."""
        for node in walk(condition):
            if self._reads_size(node):
                message = f"'{declaration.key}': the form of an input can't depend on sizes"
                self.report.add(codes.FORM_CONDITION, message, declaration.text.locate(node.span))
                return
        Expressions(self.scope, self.report, declaration.text).condition(condition, facts)

    def _reads_size(self, node: Expression) -> bool:
        match node:
            case Size() | Call("numel"):
                return True
            case Name(name) | Item(name):
                return name not in self.scope.arguments and name not in DTYPES
        return False
