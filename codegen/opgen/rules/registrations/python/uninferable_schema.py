"""OPG560: a signature from which PyTorch can't infer a schema."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Fix, Severity
from opgen.readers.registrations import Definition
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.mutates import comma_fix, spelling_fix
from opgen.rules.registrations.rule import RegistrationRule, found_at, python
from opgen.source import Location

CODE = Code(
    id="OPG560",
    name="uninferable-schema",
    severity=Severity.ERROR,
    summary="PyTorch can't infer a schema from a Python signature and its `mutates_args`.",
    why=(
        "`custom_op`, `triton_op` and `infer_schema` raise while the module is imported "
        "(`torch/_library/infer_schema.py`). Inference supports fewer types than the schema language: an explicit "
        "`schema=` can say `Tensor[]?` or `int[2]`."
    ),
    bad=python(
        """import torch


@torch.library.custom_op("mylib::merge", mutates_args=())
def merge(x: torch.Tensor, parts: list[torch.Tensor] | None = None) -> torch.Tensor:
    return sum(parts or [], start=x.clone())


@merge.register_fake
def _(x, parts=None):
    return x.new_empty(x.shape)
"""
    ),
    good=python(
        """import torch


@torch.library.custom_op("mylib::merge", mutates_args=(), schema="(Tensor x, Tensor[]? parts=None) -> Tensor")
def merge(x: torch.Tensor, parts: list[torch.Tensor] | None = None) -> torch.Tensor:
    return sum(parts or [], start=x.clone())


@merge.register_fake
def _(x, parts=None):
    return x.new_empty(x.shape)
"""
    ),
    remedy="change the signature, or write the schema by `schema=`",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report the reasons that the reader found."""
    for defined in joined.definitions:
        for one in defined.statement.uninferable:
            help_ = CODE.remedy
            if one.suggestion:
                what = "the return type" if one.parameter == "return" else f"the type of '{one.parameter}'"
                help_ = f"write the schema by `schema=`, with `{one.suggestion}` as {what}"
            elif not one.parameter and "mutates_args" in one.reason:
                help_ = 'write a tuple of the names of the arguments that are written: `mutates_args=("out",)`, or `()`'
            fix = None if one.parameter else _fix(one.location, defined.statement)
            yield found_at(CODE, defined.name, one.reason, one.location, help=help_, fix=fix)


def _fix(place: Location, statement: Definition) -> Fix | None:
    parameters = statement.function.parameters if statement.function is not None else None
    names = [one.name for one in parameters or ()]
    return comma_fix(place, names) or spelling_fix(place, names)


RULE = RegistrationRule(CODE, check)
