"""What a stranger's file meets first: each front end as a function of a text that must return, whatever the text is.

``fuzz.py`` runs them by hand, guided by coverage.
"""

import json
from collections.abc import Callable
from pathlib import Path

from opgen.build.check import check
from opgen.build.fmt.run import format_source
from opgen.diagnostics import has_errors
from opgen.diagnostics.formats.text import text as shown
from opgen.importing.entries import Style, import_ops
from opgen.importing.places import Places
from opgen.importing.run import written
from opgen.readers.cpp import read_cpp
from opgen.readers.python import read_python
from opgen.readers.registrations import Registrations
from opgen.rules.registrations.registry import judge_registrations
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema
from opgen.source import Source, Text
from opgen.spec.kernel_language.parser import parse_kernel_expression
from opgen.spec.kernel_written import render
from opgen.spec.language.parser import parse_condition, parse_dtype, parse_tensor_form
from opgen.spec.yaml.composer import compose
from opgen.spec.yaml.file import decode_source
from opgen.targets.registry import TARGETS

HEAD = "opgen: 1\nnamespace: mylib\n"
COMPUTED = """defaults: {{dispatch: {{CPU: cpp, CUDA: cuda}}}}
ops:
  - func: f(Tensor x, Tensor z, Tensor? w, Tensor i, float alpha=1, int k=2, bool b=True, float? low=None) -> Tensor
    tensors: {{x: "float [*batch, d]", z: "float [*batch, 2*d]", w: "float [d]", i: "int64 [*batch, d]", return: "x.dtype [*batch, d]"}}
    pointwise: {}
    autograd: derived
"""


def schema(text: str) -> None:
    """The operator-schema language; what is read is printed, and that is read as the same."""
    read = parse_schema(text)
    if read.schema is not None:
        printed = print_schema(read.schema)
        again = parse_schema(printed)
        assert again.schema is not None, printed
        assert print_schema(again.schema) == printed


def tensors(text: str) -> None:
    """The language of ``tensors``, ``dtypes`` and ``checks``."""
    for parse in (parse_tensor_form, parse_dtype, parse_condition):
        parse(Text.of(text))


def expression(text: str) -> None:
    """The language of ``pointwise`` and ``reduce``: what is read is printed and read as the same, then made a kernel."""
    read, _ = parse_kernel_expression(Text.of(text))
    if read is not None:
        printed = render(read)
        again, _ = parse_kernel_expression(Text.of(printed))
        assert again == read, printed
        library(COMPUTED.format(json.dumps(text)))


def yaml(text: str) -> None:
    """YAML with places, and its canonical form."""
    source, _ = decode_source("ops.yaml", text.encode())
    if source is not None:
        compose(source)
        format_source(source)


def library(text: str) -> None:
    """All of a declaration, to the files that are generated from it where nothing is wrong."""

    def read(path: Path, /) -> object:
        return decode_source(path.name, f"{HEAD}{text}".encode())

    checked = check(Path("ops.yaml"), read, lambda _: False)
    shown(checked.diagnostics)
    if checked.library is not None and not has_errors(checked.diagnostics):
        for target in TARGETS:
            for file in target(checked.library):
                assert file.path


def cpp(text: str) -> None:
    """Registrations of C++, and what is found in them."""
    judge_registrations(read_cpp([Source("ops.cpp", text)], {}))


def python(text: str) -> None:
    """Registrations of Python, and what is found in them."""
    judge_registrations(read_python([Source("ops.py", text)]))


def import_cpp(text: str) -> None:
    """An ``ops.yaml`` of what C++ registers."""
    imported(read_cpp([Source("ops.cpp", text)], {}))


def import_python(text: str) -> None:
    """An ``ops.yaml`` of what Python registers."""
    imported(read_python([Source("ops.py", text)]))


def imported(registrations: Registrations) -> None:
    """Write the declarations, and prove them."""
    made = import_ops(registrations, Places(Path()), Style(is_registered=False))
    written(made, Path("ops.yaml"), "opgen import .")


FRONT_ENDS: dict[str, Callable[[str], None]] = {
    each.__name__: each for each in (schema, tensors, expression, yaml, library, cpp, python, import_cpp, import_python)
}
