"""OPG843: a pybind11 module around registrations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.occurrences import occurrences
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG843",
    name="pybind-module",
    severity=Severity.WARNING,
    summary="A source registers ops for PyTorch and also defines a pybind11 module.",
    why=(
        "Such a module ties the binary to one version of Python, so each version needs its own wheel; the "
        "registration macros need no Python at all (pytorch/ao#3471). Functions of the module bypass the dispatcher, "
        "and can't be compiled."
    ),
    bad=cpp(
        'TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) x) -> ()"); }\n'
        'PYBIND11_MODULE(_C, m) { m.doc() = "loads the ops"; }\n'
    ),
    good=cpp(
        "#define Py_LIMITED_API 0x030a0000\n"
        "#include <Python.h>\n"
        'TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) x) -> ()"); }\n'
        'extern "C" PyObject* PyInit__C(void) {\n'
        '  static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_C", nullptr, -1, nullptr};\n'
        "  return PyModule_Create(&module);\n"
        "}\n"
    ),
    remedy=(
        "drop the pybind11 module: load the library by `torch.ops.load_library`, or write a `PyInit__C` for the limited API"
    ),
)
_MODULE = re.compile(r"\bPYBIND11_MODULE\s*\([^()]*\)")


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report pybind11 modules in sources with library blocks."""
    paths = dict.fromkeys(block.location.source.path for block in joined.registrations.blocks)
    for path in paths:
        source = joined.registrations.sources[path]
        for _, place in occurrences(source, _MODULE) if "PYBIND11_MODULE" in source.text else ():
            message = "the pybind11 module ties this library to one version of Python; its registrations don't need it"
            yield found_at(CODE, None, message, place)


RULE = RegistrationRule(CODE, check)
