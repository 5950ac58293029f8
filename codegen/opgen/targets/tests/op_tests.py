"""Emits ``test_OP.py``: the declaration of one operator as data for the test classes of ``_support``."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from opgen.model.gradients.dtypes import may_require_grad
from opgen.model.op import Library, Op
from opgen.model.sample_values import SampleValue
from opgen.model.samples import WrongSample, dynamic_samples, make_samples
from opgen.model.tensors import CheckAligned, CheckDevice, CheckDeviceAmong, CheckNamedDevice, CheckValues
from opgen.records import dataclass
from opgen.targets.output import OutputFile
from opgen.targets.python.autocast import policy
from opgen.targets.python.autograd import is_composite, refuses_gradients
from opgen.targets.python.docstring import declared_tensors
from opgen.targets.python.fakes import why_no_fake
from opgen.targets.python.layout import lay_out, py_string
from opgen.targets.python.vmap import batching_rule
from opgen.targets.schema_hash import definition
from opgen.targets.templates import render
from opgen.targets.tests.facts import result_facts
from opgen.targets.tests.values import value_text

_DEVICE_CHECKS = (CheckDevice, CheckDeviceAmong, CheckNamedDevice)
_NAMES = ("Fact", "Operator", "OperatorTests", "Wrong", "tensor")


@dataclass(frozen=True, slots=True)
class TestView:
    """One test module.

    Attributes:
        op: the qualified name.
        class_name: ``TestRmsNorm``.
        imports_torch: whether a value mentions ``torch``.
        names: the names to import from ``_support``.
        attributes: the assignments in the class body, laid out.
    """

    op: str
    class_name: str
    imports_torch: bool
    names: tuple[str, ...]
    attributes: tuple[str, ...]


def test_file(library: Library, op: Op) -> OutputFile:
    """Emit the tests of one op."""
    attributes = [*_attributes(library, op)]
    view = TestView(
        op=op.qualified_name,
        class_name="Test" + "".join(word.capitalize() for word in op.identifier.split("_")),
        imports_torch=any(": torch." in line for line in attributes),
        names=tuple(
            name for name in _NAMES if name == "OperatorTests" or any(f"{name}(" in line for line in attributes)
        ),
        attributes=tuple(lay_out(line, indent=1) for line in attributes),
    )
    return OutputFile(f"generated/tests/test_{op.identifier}.py", render("tests/test_op.py.j2", view))


def _attributes(library: Library, op: Op) -> Iterator[str]:
    settings, samples = op.spec.tests, make_samples(op)
    yield f"operator = Operator({', '.join(_operator(library, op))})"
    if settings.skip is not None:
        yield f"skip = {py_string(settings.skip)}"
    if settings.xfail:
        yield f"xfail = {_table({name: py_string(reason) for name, reason in settings.xfail.items()})}"
    if settings.samples is not None and op.is_derived:
        yield f"problem = {py_string(f'{op.declared.qualified_name} is compared with this form on samples of its own')}"
    elif settings.samples is not None:
        yield f"samples = {py_string(settings.samples)}"
    elif samples.problem is not None:
        yield f"problem = {py_string(samples.problem)}"
    else:
        yield f"valid = {_table({sample.label: _arguments(sample.arguments) for sample in samples.valid})}"
        sizes = dynamic_samples(op, 4)
        yield f"sizes = {_table({sample.label: _arguments(sample.arguments) for sample in sizes})}"
        if samples.unvisited:
            yield f"unvisited = {_listing(map(py_string, samples.unvisited))}"
    if wrong := [*_wrong_calls(op, samples.wrong)]:
        yield f"wrong = [{', '.join(wrong)}]"


def _operator(library: Library, op: Op) -> Iterator[str]:
    settings, declared, declared_in = op.spec.tests, declared_tensors(op), _declared_in(library, op)
    texts = {
        "package": library.package,
        "schema": _full_definition(op),
        "declared_in": "" if declared_in == "ops.yaml" else declared_in,
        "registered": op.registered or "",
        "reference": (op.reference or "").strip(),
        "derived_from": _full_definition(op.declared) if op.is_derived else "",
    }
    lists = {
        "kernels": [kernel.dispatch_key for kernel in op.kernels],
        "overwrites": [argument.name for argument in op.arguments if argument.overwrites],
        "scratch": [argument.name for argument in op.arguments if argument.scratch],
        "outputs": [declared.get(output.name, "") for output in op.outputs],
        "family": [_full_definition(member) for member in library.families[op.declared.qualified_name][1:]],
    }
    if op.is_derived:
        del lists["family"]
    lists |= _gradients(op)
    yield from (f"{name}={py_string(text)}" for name, text in texts.items() if text)
    yield from (f"{name}={_listing(map(py_string, items))}" for name, items in lists.items() if items)
    if why_no_fake(op) is not None:
        yield "fake=False"
    if op.spec.side_effects:
        yield "side_effects=True"
    if "nondeterministic_seeded" in op.tags:
        yield "is_random=True"
    yield from _differentiability(op)
    if (stated := policy(op)) is not None:
        yield f"autocast={py_string(stated)}"
    if batching_rule(op) is not None:
        yield "vmap=True"
    if facts := dict(result_facts(op)):
        yield f"facts={_table(facts)}"
    if settings.tolerance:
        yield f"tolerance={_table({dtype: repr(tuple(limits)) for dtype, limits in settings.tolerance.items()})}"


def _gradients(op: Op) -> dict[str, list[str]]:
    if op.gradients is not None:
        return {"gradients": [*op.gradients.arguments], "not_implemented": [*op.gradients.not_implemented]}
    if is_composite(op):
        return {"gradients": [each.name for each in op.tensor_arguments if may_require_grad(op, each.name)]}
    return {}


def _differentiability(op: Op) -> Iterator[str]:
    if op.gradients.is_twice_differentiable if op.gradients is not None else is_composite(op):
        yield "twice=True"
    if refuses_gradients(op):
        yield "refuses_gradients=True"


def _full_definition(op: Op) -> str:
    return f"{op.namespace}::{definition(op)}"


def _wrong_calls(op: Op, samples: Iterable[WrongSample]) -> Iterator[str]:
    for sample in samples:
        check = sample.check
        if isinstance(check, _DEVICE_CHECKS) and why_no_fake(op) is not None:
            continue  # the tensor on another device would be a `meta` one, which PyTorch refuses before the kernel does
        if isinstance(check, CheckValues) and not all(kernel.is_compiled for kernel in op.kernels):
            continue  # Python kernels share their checks with the fakes, which read no elements
        parts = [
            py_string(sample.label),
            f"mention={_listing(map(py_string, sample.mention))}",
            f"arguments={_arguments(sample.arguments)}",
        ]
        if isinstance(check, CheckAligned | CheckValues):
            parts.append("traced=False")  # a fake tensor has neither address nor elements
        if isinstance(check, CheckValues):
            parts.append("of_values=True")
        yield f"Wrong({', '.join(parts)})"


def _arguments(arguments: Mapping[str, SampleValue]) -> str:
    return _table({name: value_text(value) for name, value in arguments.items()})


def _table(items: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{py_string(key)}: {text}" for key, text in items.items()) + "}"


def _listing(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _declared_in(library: Library, op: Op) -> str:
    """Return the YAML file that declares an op, relative to ``ops.yaml``, whatever the working directory is."""
    return posixpath.relpath(op.spec.func.source.path, posixpath.dirname(library.spec.path) or ".")
