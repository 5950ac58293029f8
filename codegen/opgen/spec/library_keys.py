"""The keys of the top level of ``ops.yaml`` and of included files."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

from opgen.source import Text
from opgen.spec.codes import BAD_NAME, UNSUPPORTED_VERSION
from opgen.spec.contract_forms import DTYPE_SETS
from opgen.spec.fields import Key
from opgen.spec.forms import DOTTED_NAME, FLAG, INTEGER, NAME, TEXT, Form, list_of, mapped, word
from opgen.spec.library import Abi, DefineIn
from opgen.spec.report import Report
from opgen.spec.reserved import why_no_namespace, why_no_package
from opgen.spec.yaml import Mapping, Node, Sequence

FORMAT_VERSION = 1
OLDEST_TORCH = (2, 10)
_TORCH = r"\s*>=\s*([0-9]{1,3})\.([0-9]{1,3})(\.[0-9]{1,3})?\s*"


def _unreserved(form: Form[Text], why_not: Callable[[str], str]) -> Form[Text]:
    def read(node: Node, report: Report) -> Text | None:
        text = form.read(node, report)
        if text is not None and (reason := why_not(text.value)):
            report.add(BAD_NAME, f"the {report.key} '{text.value}' {reason}", node.location)
        return text

    return Form(form.name, read, form.json)


def _read_version(node: Node, report: Report) -> int | None:
    version = INTEGER.read(node, report)
    if version is not None and version != FORMAT_VERSION:
        message = f"format version {version} is unknown, this opgen reads version {FORMAT_VERSION}"
        report.add(
            UNSUPPORTED_VERSION, message, node.location, f"write 'opgen: {FORMAT_VERSION}', or install a newer opgen"
        )
    return version


def _read_torch(node: Node, report: Report) -> tuple[int, int] | None:
    help_ = 'write ">={}.{}" or a newer 2.x'.format(*OLDEST_TORCH)
    text = TEXT.read(node, report)
    match = re.fullmatch(_TORCH, text.value, re.ASCII) if text else None
    if match is None:
        if text is not None:
            report.wrong_type(node, 'the oldest torch release, such as ">=2.10"', help_)
        return None
    release = int(match[1]), int(match[2])
    if release < OLDEST_TORCH or release[0] != OLDEST_TORCH[0]:
        message = f"torch {match[1]}.{match[2]} is not supported, expected 2.10 or a newer 2.x"
        report.add(UNSUPPORTED_VERSION, message, node.location, help_)
        return None
    return release


def _anything(name: str, kind: type[Mapping | Sequence]) -> Form[Any]:
    """Return a form that only checks the kind of the outermost node; the loader reads its contents."""

    def read(node: Node, report: Report) -> Node | None:
        if isinstance(node, kind):
            return node
        report.wrong_type(node, name)
        return None

    return Form(name, read, {"type": "object" if kind is Mapping else "array"})


OPGEN_KEY = Key(
    "opgen",
    Form("the number 1", _read_version, {"const": FORMAT_VERSION}),
    "The version of this format.",
    "1",
    required=True,
)
NAMESPACE_KEY = Key(
    "namespace",
    _unreserved(NAME, why_no_namespace),
    "The namespace of the ops, in `torch.ops.NAMESPACE.NAME` and in C++.",
    "mylib",
    required=True,
)
PACKAGE_KEY = Key(
    "package",
    mapped(_unreserved(DOTTED_NAME, why_no_package), lambda text: text.value),
    "The Python package to generate.",
    "mylib.ops",
    default="`NAMESPACE_ops`",
)
TORCH_KEY = Key(
    "torch",
    Form('a text such as `">=2.10"`', _read_torch, {"type": "string", "pattern": f"^{_TORCH}$"}),
    "The oldest torch that the binary must load on. Newer features are used only behind a version check.",
    '">=2.10"',
    default='`">=2.10"`',
)
LIBRARY_ABI_KEY = Key(
    "abi",
    word(get_args(Abi)),
    "`stable`: one binary for every Python and for every torch from the oldest on. `classic`: PyTorch's C++ API, one "
    "binary per torch release.",
    "stable",
    default="`stable`",
    not_generated="`classic` for `cuda` kernels",
)
DEFINE_IN_KEY = Key(
    "define_in",
    word(get_args(DefineIn)),
    "Where schemas are defined. `python`: in the Python package, which also sets their tags. `both`: in the package "
    "and, for processes without Python, in a library of definitions, `lib<package>_define.so` "
    "([`deployment.md`](deployment.md)). `cpp`: only in a binary, which on the stable ABI can't set the tags of "
    "in-place and out= ops (OPG508).",
    "both",
    default="`python`",
    not_generated="`cpp`",
)
INCLUDE_KEY = Key(
    "include",
    list_of(TEXT, "a list of files", unique=True),
    "Further files with ops, relative to this one and inside the project. Each holds `ops`, and optionally `defaults` "
    "and `include`.",
    "[attention.yaml]",
    default="none",
)
DTYPES_KEY = Key(
    "dtypes",
    DTYPE_SETS,
    "Your own names for sets of dtypes, for use in `tensors`.",
    "{reduced: float16|bfloat16}",
    default="none",
)
DEFAULTS_KEY: Key[Mapping] = Key(
    "defaults",
    _anything("a mapping of keys of an op", Mapping),
    "Keys for every op in this file, and in the files that it includes, that doesn't state them itself.",
    "{autograd: none}",
    default="none",
)
OPAQUE_TYPES_KEY = Key(
    "opaque_types",
    mapped(
        list_of(DOTTED_NAME, "a list of class names", unique=True), lambda names: tuple(name.value for name in names)
    ),
    "Names of classes that schemas may use as types.",
    "[mylib.PlanHandle]",
    default="none",
)
IMPORTS_KEY = Key(
    "imports",
    mapped(list_of(DOTTED_NAME, "a list of modules", unique=True), lambda names: tuple(name.value for name in names)),
    "Python modules that the package imports first: those that load the `registered` ops, and those that register "
    "`opaque_types`.",
    "[mylib._C]",
    default="none",
)
TAG_OUT_KEY = Key(
    "tag_out",
    FLAG,
    "Define out= ops with `torch.Tag.out`, which lets PyTorch find the out= form of a functional op. Torch 2.13 and "
    "2.14 can't compile every such pair; `opgen doctor --tag-out` tests one with the installed torch.",
    "true",
    default="`false`",
)
OPS_KEY: Key[Sequence] = Key(
    "ops",
    _anything("a list of ops", Sequence),
    "The ops, in any order.",
    "[{func: ping() -> (), side_effects: true}]",
    default="none",
)

INCLUDED_KEYS: tuple[Key[Any], ...] = (INCLUDE_KEY, DEFAULTS_KEY, OPS_KEY)
LIBRARY_KEYS: tuple[Key[Any], ...] = (
    OPGEN_KEY,
    NAMESPACE_KEY,
    PACKAGE_KEY,
    TORCH_KEY,
    LIBRARY_ABI_KEY,
    DEFINE_IN_KEY,
    INCLUDE_KEY,
    DTYPES_KEY,
    DEFAULTS_KEY,
    OPAQUE_TYPES_KEY,
    IMPORTS_KEY,
    TAG_OUT_KEY,
    OPS_KEY,
)
