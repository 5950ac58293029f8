"""The forms of ``pointwise`` and ``reduce``: one expression, or a mapping of names to expressions."""

from __future__ import annotations

from opgen.source import Text
from opgen.spec.forms import Form, either, is_mapping, mapped, mapping_of, matching, text_form
from opgen.spec.kernel_language import parse_kernel_expression
from opgen.spec.library import KernelEntry
from opgen.spec.report import Report
from opgen.spec.yaml import Node

_KEY = matching(
    "an output, a written argument or a name of its own",
    r"return\.[0-9]+|[A-Za-z_]\w*",
    "a name has letters, digits and '_'",
)


def _form(example: str) -> Form[tuple[KernelEntry, ...]]:
    text = text_form("an expression", f"write it between quotes, {example}")
    one = mapped(text, lambda text: ((None, text),))
    form: Form[tuple[tuple[Text | None, Text], ...]] = either(
        one, mapping_of(text, "a mapping of names to expressions", _KEY), is_mapping
    )

    def read(node: Node, report: Report) -> tuple[KernelEntry, ...] | None:
        entries = []
        for key, written in form.read(node, report) or ():
            expression, found = parse_kernel_expression(written)
            report.diagnostics.extend(found)
            if expression is not None:
                entries.append(KernelEntry(key, written, expression))
        return tuple(entries)

    return Form(form.name, read, form.json)


POINTWISE = _form('"x * sigmoid(x)"')
REDUCE = _form('"sum(x * x, n)"')
