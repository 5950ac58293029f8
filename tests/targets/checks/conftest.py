from __future__ import annotations

import math
import subprocess
import sysconfig
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from opgen.model.build_op import build_op
from opgen.model.layout import strides_of
from opgen.model.sample_values import DeviceValue, DtypeValue, TensorValue
from opgen.model.tensors import TensorContract
from opgen.schema.parser import parse_schema
from opgen.source import Source, Span, Text
from opgen.source.text import Location
from opgen.spec.language import parse_condition
from opgen.spec.library import LibrarySpec, OpSpec
from opgen.targets.checks.cpp import allocations, host_checks
from opgen.targets.checks.python import fake_checks, fake_results
from opgen.targets.cpp.types import parameter_type, result_type
from opgen.targets.names import cpp_name, python_name
from opgen.targets.templates import render


@pytest.fixture(scope="session")
def expression():
    """Read an expression of the language of tensors."""

    def read(text):
        node, problems = parse_condition(Text.of(text))
        assert not problems
        return node

    return read


@pytest.fixture(scope="session")
def make_op():
    """Make an op of a schema and a plan that is written by hand."""

    def make(func, steps=(), outputs=(), packs=()):
        schema = parse_schema(func).schema
        spec = OpSpec(func=Text.of(func), schema=schema, location=Location(Source("ops.yaml", func), Span(0, 0)))
        library = LibrarySpec("ops.yaml", ("ops.yaml",), 1, Text.of("mylib"), "mylib_ops")
        op, _ = build_op(spec, library)
        return replace(
            op, tensors=TensorContract(tuple(steps), {spec.output: spec for spec in outputs}, frozenset(packs))
        )

    return make


def _function(op):
    types = (parameter_type(a.type, "stable", written=a.written) for a in op.arguments)
    parameters = ", ".join(f"{type_} {cpp_name(a.name)}" for type_, a in zip(types, op.arguments, strict=True))
    body = [*host_checks(op), *allocations(op)]
    names = [cpp_name(output.name) for output in op.outputs]
    if names:
        body.append(f"return {names[0]};" if len(names) == 1 else f"return {{{', '.join(names)}}};")
    result = result_type(tuple(output.type for output in op.outputs), "stable")
    unused = [f"(void){cpp_name(argument.name)};" for argument in op.arguments]
    return "\n".join([f"{result} {op.name}({parameters}) {{", *unused, *body, "}"])


HEADERS = (
    "abi_stable.h",
    *(f"checks/{part}.h" for part in ("messages", "sizes", "tensors", "arguments", "checker")),
    "support.h",
)


def _cpp_file(namespace, ops):
    lines = [f"#include <mylib_ops/{header}>" for header in HEADERS]
    lines += ["#include <torch/csrc/stable/library.h>", "namespace mylib {", *map(_function, ops), "}"]
    lines += [f"STABLE_TORCH_LIBRARY_IMPL({namespace}, CPU, m) {{"]
    lines += [f'  m.impl("{op.name}", TORCH_BOX(&mylib::{op.name}));' for op in ops]
    return "\n".join([*lines, "}"])


def _compile(torch, source, folder):
    torch_folder = Path(torch.__file__).parent
    view = SimpleNamespace(namespace="mylib", package="mylib_ops", folder="mylib_ops", abis=("stable",))
    (folder / "mylib_ops" / "checks").mkdir(parents=True)
    for header in HEADERS:
        (folder / "mylib_ops" / header).write_text(render(f"cpp/{header}.j2", view))
    (folder / "checks.cpp").write_text(source)
    flags = [
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fPIC",
        "-fvisibility=hidden",
        "-shared",
        "-DTORCH_TARGET_VERSION=0x020a000000000000",
    ]
    places = ["-I.", f"-isystem{torch_folder}/include", f"-L{torch_folder}/lib", "-ltorch_cpu"]
    library = folder / f"checks{sysconfig.get_config_var('SHLIB_SUFFIX')}"
    subprocess.run(["g++", *flags, "checks.cpp", "-o", library, *places], cwd=folder, check=True)
    return library


def _fake(torch, op):
    """Return the fake as a function with the schema's parameters and defaults."""
    module = {}
    exec(render("python/checks_module.py.j2", None), module)  # noqa: S102 - the text under test
    helpers = {"torch": torch, "math": math, "Checker": module["Checker"]}
    helpers |= {f"_{name}": module[name] for name in ("new_size", "promote")}
    schema = torch._C.parse_schema(op.spec.func.value)
    parameters = []
    for argument in schema.arguments:
        name = python_name(argument.name)
        default = f"={argument.default_value!r}" if argument.has_default_value() else ""
        star = ["*"] if argument.kwarg_only and "*" not in parameters else []
        parameters += [*star, name + default]
    text = "\n    ".join([f"def fake({', '.join(parameters)}):", *fake_checks(op), *fake_results(op), "pass"])
    exec(text, helpers)  # noqa: S102 - the text under test
    fake = helpers["fake"]
    return lambda *args, **kwargs: fake(*args, **{python_name(name): value for name, value in kwargs.items()})


def _materialise(torch, value):
    match value:
        case TensorValue(shape, dtype, strides, device, offset, elements):
            strides = strides or strides_of(shape)
            extent = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True) if size)
            storage = torch.zeros(max(extent, 0) + offset, dtype=torch.uint8, device=device).to(getattr(torch, dtype))
            tensor = storage.as_strided(shape, strides, offset)
            if elements is not None and tensor.numel():
                tensor.copy_(torch.tensor(_elements(elements, tensor.numel())).view(shape))
            return tensor
        case DtypeValue(name):
            return getattr(torch, name)
        case DeviceValue(name):
            return torch.device(name)
        case tuple():
            return [_materialise(torch, element) for element in value]
    return value


def _elements(elements, count):
    if elements.permutation:
        return [*range(count)]
    if elements.offsets is not None:
        return [0] * (count - 1) + [elements.offsets]
    return [elements.low + place % (elements.high - elements.low) for place in range(count)]


@pytest.fixture(scope="session")
def materialise():
    """Make the value of a sample."""
    torch = pytest.importorskip("torch")
    return lambda value: _materialise(torch, value)


@pytest.fixture(scope="session")
def fake_of():
    """Make the fake of an op, a function."""
    torch = pytest.importorskip("torch")
    return lambda op: _fake(torch, op)


@pytest.fixture(scope="session")
def compile_checks(tmp_path_factory):
    """Compile the host checks of some ops; return for each name the C++ op and the fake, as functions."""
    torch = pytest.importorskip("torch")
    libraries = []

    def compile_them(namespace, ops, *, check_values=False):
        library = torch.library.Library(namespace, "DEF")
        libraries.append(library)
        for op in ops:
            library.define(op.spec.func.value)
        path = _compile(torch, _cpp_file(namespace, ops), tmp_path_factory.mktemp(namespace))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("OPGEN_CHECK_VALUES", "1" if check_values else "0")
            torch.ops.load_library(path)
        symbols = subprocess.run(
            ["nm", "-D", "--undefined-only", path], capture_output=True, text=True, check=True
        ).stdout
        names = {line.split()[-1] for line in symbols.splitlines()}
        assert not {name for name in names if "c10" in name or "2at" in name or "5torch" in name}
        return {op.name: (getattr(getattr(torch.ops, namespace), op.name), _fake(torch, op)) for op in ops}

    yield compile_them
    for library in libraries:
        library._destroy()
