"""Emits the page of one declared op: its functions, the contract of arguments and results, gradients and kernels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from opgen.model.batching import Batching
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.schema.printer import print_default, print_type
from opgen.spec.dtypes import CLASSES
from opgen.targets.docs.example import example
from opgen.targets.docs.place import FOLDER, WIDTH, code, page_name
from opgen.targets.output import OutputFile
from opgen.targets.python.autocast import policy
from opgen.targets.python.autograd import is_composite, refuses_gradients
from opgen.targets.python.docstring import declared_tensors, roles
from opgen.targets.python.fakes import why_no_fake
from opgen.targets.python.functions import functions_of_family
from opgen.targets.python.layout import lay_out
from opgen.targets.python.signature import public_head
from opgen.targets.python.vmap import batching_rule
from opgen.targets.schema_hash import definition
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class PageView:
    """One page; its texts are Markdown.

    Attributes:
        title: the qualified name.
        doc: the author's ``doc`` of the op.
        package: the Python package to import from.
        names: the functions that call the op and its derived forms.
        heads: the signatures of these functions, laid out.
        forms: for each form its contract, its schema, and what the contract means.
        example: statements of a call that runs.
        arguments: name, type, default and contract of each argument.
        results: name, type and contract of each result.
        legend: explanations of the words that the contracts use.
        errors: the exceptions that a wrong call raises.
        conditions: the conditions of ``checks``.
        gradients: arguments with their formulas.
        kernels: dispatch keys with the files of their kernels.
        notes: further facts for callers, such as autocast and ``torch.vmap``.
    """

    title: str
    doc: str
    package: str
    names: tuple[str, ...]
    heads: tuple[str, ...]
    forms: tuple[tuple[str, str, str], ...]
    example: tuple[str, ...]
    arguments: tuple[tuple[str, str, str, str], ...]
    results: tuple[tuple[str, str, str], ...]
    legend: tuple[str, ...]
    errors: str
    conditions: tuple[str, ...]
    gradients: tuple[tuple[str, str], ...]
    kernels: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


_MEANINGS = {
    Contract.FUNCTIONAL: "writes no argument; its results are fresh memory",
    Contract.INPLACE: "writes its first argument and returns that same object",
    Contract.OUT: "fills the tensors passed as `out` and returns them; not differentiable",
    Contract.MUTABLE: "writes arguments and returns none of them",
    Contract.VIEW: "writes nothing; a result shares memory with an argument",
    Contract.IRREGULAR: "writes and returns arguments in an irregular way",
}


def page_file(library: Library, family: Sequence[Op]) -> OutputFile:
    """Emit the page of a family, whose first op is the declared one."""
    op = family[0]
    functions = functions_of_family(family)
    view = PageView(
        title=op.qualified_name,
        doc=op.doc.strip(),
        package=library.package,
        names=tuple(function.name for function in functions),
        heads=tuple(lay_out(f"{public_head(function, typed=True)} ...", width=WIDTH) for function in functions),
        forms=tuple(
            (each.contract.value, code(f"{each.namespace}::{definition(each)}"), _MEANINGS[each.contract])
            for each in family
        ),
        example=example(library, functions, op),
        arguments=tuple(_arguments(op)),
        results=tuple(_results(op)),
        legend=tuple(_legend(op)),
        errors=_errors(op),
        conditions=tuple(code(check.text.value) for check in op.spec.checks),
        gradients=tuple(_gradients(family)),
        kernels=tuple((code(kernel.dispatch_key), code(kernel.path)) for kernel in op.kernels),
        notes=tuple(_notes(op)),
    )
    return OutputFile(f"{FOLDER}/{page_name(op)}", render("docs/page.md.j2", view))


def _arguments(op: Op) -> Iterator[tuple[str, str, str, str]]:
    texts = declared_tensors(op)
    for argument in op.arguments:
        default = "" if argument.default is None else code(print_default(argument.default))
        contract = ", ".join([*roles(argument), *([code(texts[argument.name])] if argument.name in texts else [])])
        yield code(argument.name), code(print_type(argument.type)), default, contract


def _results(op: Op) -> Iterator[tuple[str, str, str]]:
    texts = declared_tensors(op)
    for output in op.outputs:
        contract = f"the argument {code(output.alias_of)}" if output.alias_of else code(texts.get(output.name, ""))
        yield code(output.name), code(print_type(output.type)), contract


def _legend(op: Op) -> Iterator[str]:
    """Explain the words that the contracts of this op use: classes of dtypes, packs of dims, sizes."""
    texts = " ".join(declared_tensors(op).values())
    names = set(re.findall(r"(?<![\w.])[a-z]\w*", texts))
    for name, members in CLASSES.items():
        if name in names and name != "any":
            *others, last = map(code, members)
            yield f"{code(name)} stands for {', '.join(others)} and {last}."
    if "[" in texts:
        packs = sorted(set(re.findall(r"(?<=[\[, ])\*\w+(?![\w(])", texts)))
        if packs:
            yield f"{' and '.join(map(code, packs))} {'stands' if len(packs) == 1 else 'each stand'} for any number of dims."
        for broadcast in sorted(set(re.findall(r"\*broadcast\([^()]*\)", texts))):
            yield f"{code(broadcast)} stands for the dims that PyTorch broadcasts them to."
        yield "Sizes of the same name must be equal."


def _errors(op: Op) -> str:
    if op.registered or not (op.tensors.steps or op.spec.checks):
        return ""
    promise = "A wrong call raises a `RuntimeError` that names the argument, what was expected and what was found."
    return f"{promise} In addition to the contracts above, these conditions must hold:" if op.spec.checks else promise


def _gradients(family: Sequence[Op]) -> Iterator[tuple[str, str]]:
    gradients = next((op.gradients for op in family if op.gradients is not None), None)
    if gradients is not None:
        yield from ((code(", ".join(formula.arguments)), code(formula.text)) for formula in gradients.formulas)
        yield from ((code(name), "not implemented: `backward` raises") for name in gradients.not_implemented)
        yield from ((code(name), "none: treated as a constant") for name in gradients.constants)


def _notes(op: Op) -> Iterator[str]:
    reason = why_no_fake(op)
    if reason is None:
        source = "derived from the contract" if op.fake is None else f"{code(op.fake)}"
        yield f"Works under `torch.compile` and `torch.export`; the fake kernel is {source}."
    else:
        yield f"`torch.compile`: {reason}."
    yield from _contexts(op)
    if op.registered:
        yield f"Schema and kernels are hand-written, in {code(op.registered)}."
    if op.spec.side_effects:
        yield "It has side effects, so a compiler neither drops nor moves a call."
    if op.tensors.values:
        yield "Facts about elements (`in range`, `offsets`, `permutation`) are checked only with `OPGEN_CHECK_VALUES=1`."
    if op.reference:
        yield f"Its tests compare it with {code(op.reference)}."
    if op.spec.tests.skip:
        yield f"It is not tested: {' '.join(op.spec.tests.skip.split())}."


def _contexts(op: Op) -> Iterator[str]:
    """Yield notes on a call under autograd, autocast and ``torch.vmap``."""
    if refuses_gradients(op):
        yield "It has no gradients: a call with an argument that requires grad raises an error."
    if is_composite(op):
        yield "PyTorch differentiates through the operators that its kernel calls."
    if (stated := policy(op)) is not None:
        yield f"Inside `torch.autocast`, its arguments are cast: {code(stated)}."
    if isinstance(batching_rule(op), Batching):
        yield "`torch.vmap` makes one call for the whole batch."
