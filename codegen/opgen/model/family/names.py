"""The names of an op's forms, which tell the kind of the form as in ``native_functions.yaml``.

Source: ``add_NativeFunctions`` in ``torchgen/native_function_generation.py`` for `.out`, `.NAME_out` and `.functional`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from opgen.model.contract import Contract
from opgen.model.op import Op
from opgen.schema.nodes import OperatorName


class Form(Enum):
    """A kind of derived form; the values are part of the names of generated functions."""

    FUNCTIONAL = "functional"
    INPLACE = "inplace"
    OUT = "out"


def forms_of(op: Op) -> Mapping[str, tuple[Form, OperatorName]]:
    """Return the forms that an op could have beside its declared one, by name without namespace.

    A declared overload is part of the names: the forms of ``f.scalar`` are ``f.scalar_out`` and ``f_.scalar``. The
    functional form of an out= op has its name without ``out``. If the op itself has the bare name, as a
    destination-passing op has, the functional form is the overload ``functional``.
    """
    stem = _stem(op.overload)
    joined = f"{stem}_" if stem else ""
    choices: list[tuple[Form, str, str]] = []
    if op.contract in {Contract.OUT, Contract.MUTABLE}:
        choices += [(Form.FUNCTIONAL, op.name, stem), (Form.FUNCTIONAL, op.name, f"{joined}functional")]
    if op.contract in {Contract.FUNCTIONAL, Contract.MUTABLE}:
        choices.append((Form.OUT, op.name, f"{joined}out"))
    choices.append((Form.INPLACE, f"{op.name}_", stem))
    namespace = op.schema.name.namespace
    names = ((form, OperatorName(name, overload, namespace)) for form, name, overload in choices)
    own = OperatorName(op.name, op.overload, namespace)
    return {_without_namespace(name): (form, name) for form, name in names if name != own}


def _stem(overload: str) -> str:
    for kind in ("out", "functional"):
        if overload == kind or overload.endswith(f"_{kind}"):
            return overload.removesuffix(kind).removesuffix("_")
    return overload


def _without_namespace(name: OperatorName) -> str:
    return f"{name.name}.{name.overload}" if name.overload else name.name
