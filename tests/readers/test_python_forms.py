"""Every way of registering from Python that the reader knows, as a small source and what is to be found in it."""

import textwrap

import pytest

from opgen.readers.python import read_python
from opgen.readers.registrations import Registrations
from opgen.source import Source


def read(text: str, **others: str) -> Registrations:
    sources = [Source(f"{name}.py", textwrap.dedent(other)) for name, other in others.items()]
    return read_python([*sources, Source("ops.py", "import torch\n" + textwrap.dedent(text).lstrip("\n"))])


def told(found: Registrations) -> list[str]:
    """Say what was found, a line each: definitions, implementations, what is unread; with the line of the statement."""
    lines = [
        f"{one.location.start.line} {one.form} {one.namespace}::{one.schema.value}"
        + "".join(f" +{tag.value}" for tag in one.tags)
        for one in found.definitions
    ]
    for one in found.implementations:
        function = one.function.name if one.function else "-"
        keys = ",".join(one.keys)
        lines.append(
            f"{one.location.start.line} {one.role} {one.op.value} [{keys}] {function}{' ->' * one.fallthrough}"
        )
    return lines + [f"{one.location.start.line} ? {one.reason}" for one in found.unread]


FORMS = {
    "a decorator with devices": (
        """
        @torch.library.custom_op("m::f", mutates_args=("y",), device_types=["cpu", "cuda"])
        def f(x: torch.Tensor, y: torch.Tensor) -> None: ...
        """,
        ["2 custom_op m::f(Tensor x, Tensor(a1!) y) -> ()", "2 kernel m::f [CPU,CUDA] f"],
    ),
    "a call": (
        """
        def f(x: torch.Tensor) -> torch.Tensor: ...
        op = torch.library.custom_op("m::f", f, mutates_args=())
        op.register_fake(lambda x: x)
        """,
        ["3 custom_op m::f(Tensor x) -> Tensor", "4 fake m::f [] "],
    ),
    "an explicit schema": (
        """
        @torch.library.custom_op("m::f", mutates_args=[], schema="(Tensor x, int[2] k) -> Tensor", tags=[torch.Tag.pointwise])
        def f(x, k): ...
        """,
        ["2 custom_op m::f(Tensor x, int[2] k) -> Tensor +pointwise"],
    ),
    "aliases of imports": (
        """
        import torch.library as tl
        from torch.library import custom_op as op, triton_op
        from torch import Tensor as T, library
        @op("m::f", mutates_args={})
        def f(x: T) -> T: ...
        @triton_op("m::g", mutates_args={"x"})
        def g(x: T) -> None: ...
        tl.define("m::h", "(Tensor x) -> Tensor")
        @library.impl("m::h", "cpu")
        def h(x): ...
        """,
        ["5 custom_op m::f(Tensor x) -> Tensor", "7 triton_op m::g(Tensor(a0!) x) -> ()", "9 define m::h(Tensor x) -> Tensor",
         "10 kernel m::h [CPU] h"],
    ),
    "a library": (
        """
        LIB = torch.library.Library("m", "DEF")
        LIB.define("f(Tensor x) "
                   "-> Tensor", tags=(torch.Tag.core, torch.Tag.pointwise))
        LIB.impl("f", lambda x: x, "CPU")
        LIB.impl("m::f", torch.library.fallthrough_kernel, "AutogradCPU")
        LIB.impl(torch.ops.m.f.default, kernels.f)
        LIB._register_fake("f", kernels.fake)
        ONE = torch.library.Library("m", "IMPL", "CUDA")
        ONE.impl("f.out", kernels.out)
        """,
        ["3 define m::f(Tensor x) -> Tensor +core +pointwise", "5 kernel m::f [CPU] ", "6 kernel m::f [AutogradCPU] - ->",
         "7 kernel m::f [CompositeImplicitAutograd] kernels.f", "8 fake m::f [] kernels.fake", "10 kernel m::f.out [CUDA] kernels.out"],
    ),
    "the old decorators": (
        """
        LIB = torch.library.Library("m", "DEF")
        @torch.library.define(LIB, "f(Tensor x) -> Tensor")
        def f(x): ...
        @torch.library.impl(LIB, "f", "CPU")
        def g(x): ...
        @torch.library.impl_abstract("m::f")
        def h(x): ...
        """,
        ["3 define m::f(Tensor x) -> Tensor", "3 kernel m::f [CompositeImplicitAutograd] f", "5 kernel m::f [CPU] g", "7 fake m::f [] h"],
    ),
    "functions of torch.library": (
        """
        def f(x): ...
        torch.library.define("m::f", "(Tensor x) -> Tensor", tags=torch.Tag.pointwise)
        torch.library.impl("m::f", ["cpu", "AutogradCUDA"], f)
        torch.library.register_kernel("m::f", "default", f)
        torch.library.register_kernel("m::f", None, f)
        torch.library.register_fake("m::f", f)
        torch.library.register_autograd("m::f", f, setup_context=f)
        torch.library.register_vmap("m::f", f)
        torch.library.register_autocast("m::f", "cuda", torch.float16)
        torch.library.register_torch_dispatch("m::f", Mode, f)
        torch.library.register_fake(torch.ops.m.f.out)(f)
        """,
        ["3 define m::f(Tensor x) -> Tensor +pointwise", "4 kernel m::f [CPU,AutogradCUDA] f", "5 kernel m::f [CompositeExplicitAutograd] f",
         "6 kernel m::f [CompositeExplicitAutograd] f", "7 fake m::f [] f", "8 autograd m::f [] f", "8 setup_context m::f [] f",
         "9 vmap m::f [] f", "10 autocast m::f [CUDA] -", "11 torch_dispatch m::f [] f", "12 fake m::f.out [] f"],
    ),
    "methods of an op": (
        """
        from torch._library.effects import EffectType
        @torch.library.custom_op("m::f", mutates_args=())
        def f(x: torch.Tensor) -> torch.Tensor: ...
        @f.register_kernel("cuda")
        def _(x): ...
        @f.register_fake
        def fake(x): ...
        def backward(ctx, grad): ...
        f.register_autograd(backward)
        @f.register_vmap
        def v(info, in_dims, x): ...
        f.register_effect(EffectType.ORDERED)
        """,
        ["3 custom_op m::f(Tensor x) -> Tensor", "5 kernel m::f [CUDA] _", "7 fake m::f [] fake", "10 autograd m::f [] backward",
         "11 vmap m::f [] v", "13 effect m::f [] -"],
    ),
    "constants": (
        """
        NS = "m"
        NAME = NS + "::f"
        LIB = torch.library.Library(NS, "FRAGMENT")
        SCHEMA = "(Tensor x) -> Tensor"
        LIB.define("f" + SCHEMA)
        for key in ("CPU", "CUDA"):
            LIB.impl("f", kernel, key)
        torch.library.register_fake(NAME, fake)
        torch.library.register_fake(f"{NS}::{'g'}.out{1 + 1}", fake)
        torch.library.register_vmap("{}::f".format(NS), v)
        """,
        ["6 define m::f(Tensor x) -> Tensor", "8 kernel m::f [CPU] kernel", "8 kernel m::f [CUDA] kernel", "9 fake m::f [] fake",
         "10 fake m::g.out2 [] fake", "11 vmap m::f [] v"],
    ),
    "a scoped library": (
        """
        def test():
            with torch.library._scoped_library("m", "FRAGMENT") as lib:
                lib.define("f() -> ()")
        """,
        ["4 define m::f() -> ()"],
    ),
    "a library in an attribute": (
        """
        class Registry:
            lib = torch.library.Library("m", "DEF")
            def __init__(self):
                self.own = torch.library.Library("n", "DEF")
            def run(self):
                self.lib.define("f() -> ()")
                self.own.define("g() -> ()")
        Registry().own.define("h() -> ()")
        """,
        ["7 define m::f() -> ()", "8 define n::g() -> ()", "9 define n::h() -> ()"],
    ),
    "older and newer names": (
        """
        if hasattr(torch.library, "register_fake"):
            register = torch.library.register_fake
        else:
            register = torch.library.impl_abstract
        @register("m::f")
        def f(x): ...
        try:
            from torch.library import custom_op
        except ImportError:
            custom_op = None
        @custom_op("m::g", mutates_args=())
        def g(x: torch.Tensor) -> torch.Tensor: ...
        """,
        ["12 custom_op m::g(Tensor x) -> Tensor", "6 fake m::f [] f"],
    ),
    "infer_schema": (
        """
        def f(x: torch.Tensor, n: int = 2) -> torch.Tensor: ...
        torch.library.define("m::f", torch.library.infer_schema(f, mutates_args={}))
        LIB = torch.library.Library("m", "DEF")
        LIB.define(torch.library.infer_schema(f, op_name="g", mutates_args=["x"]))
        """,
        ["3 define m::f(Tensor x, SymInt n=2) -> Tensor", "5 define m::g(Tensor(a0!) x, SymInt n=2) -> Tensor"],
    ),
    "texts that are taken apart": (
        """
        SCHEMA = "  f(Tensor x) -> Tensor"
        LIB = torch.library.Library("m", "DEF")
        LIB.define(SCHEMA.strip())
        name = SCHEMA.strip().split("(", maxsplit=1)[0]
        LIB.impl(name, k, "CPU")
        torch.library.register_fake("_m::g"[1:], k)
        torch.library.register_vmap("M::G".lower(), k)
        """,
        ["4 define m::f(Tensor x) -> Tensor", "6 kernel m::f [CPU] k", "7 fake m::g [] k", "8 vmap m::g [] k"],
    ),
    "names that are not known": (
        """
        import os
        NS = os.environ["NS"]
        torch.library.define(f"{NS}::f", "() -> ()")
        LIB = torch.library.Library("m", "DEF")
        for line in open("ops.txt"):
            LIB.define(line)
        if os.name == "nt":
            NAME = "m::a"
        else:
            NAME = "m::b"
        torch.library.register_fake(NAME, f)
        """,
        ["4 ? the name of the op can't be read: `os.environ[\"NS\"]` is not known from the text",
         '7 ? the schema can\'t be read: it comes from a loop over `open("ops.txt")`',
         "12 ? the name of the op can't be read: its value depends on a condition"],
    ),
    "no op at all": (
        """
        class Model:
            def define(self): ...
            def impl(self): ...
        Model().define("f(Tensor x) -> Tensor")
        parser.impl("f", g, "CPU")
        """,
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_read(name):
    text, expected = FORMS[name]
    assert told(read(text)) == expected


HELPERS = {
    "a function": (
        """
        LIB = torch.library.Library("m", "FRAGMENT")
        def register(name, func, mutates=None, fake=None, key="CUDA"):
            if mutates is None:
                mutates = []
            schema = torch.library.infer_schema(func, mutates_args=mutates)
            LIB.define(name + schema)
            LIB.impl(name, func, dispatch_key=key)
            if fake is not None:
                LIB._register_fake(name, fake)
        def f(x: torch.Tensor) -> None: ...
        register("f", f, ["x"], fake=lambda x: None)
        register(name="g", func=f, key="CPU")
        """,
        ["12 register m::f(Tensor(a0!) x) -> ()", "13 register m::g(Tensor x) -> ()", "12 kernel m::f [CUDA] f", "12 fake m::f [] ",
         "13 kernel m::g [CPU] f"],
    ),
    "a decorator": (
        """
        def meta(name):
            def wrap(fn):
                if hasattr(torch.library, "register_fake"):
                    return torch.library.register_fake(f"m::{name}")(fn)
                return torch.library.impl_abstract(f"m::{name}")(fn)
            return wrap
        @meta("f")
        def f(x): ...
        """,
        ["8 fake m::f [] f"],
    ),
    "a decorator that names the op as the function": (
        """
        def op(fn=None, *, mutates=()):
            def wrap(f):
                return torch.library.custom_op("m::" + f.__name__, f, mutates_args=mutates)
            return wrap if fn is None else wrap(fn)
        @op(mutates=("x",))
        def f(x: torch.Tensor) -> None: ...
        @op
        def g(x: torch.Tensor) -> torch.Tensor: ...
        """,
        ["6 op m::f(Tensor(a0!) x) -> ()", "8 op m::g(Tensor x) -> Tensor"],
    ),
    "one that passes keywords on": (
        """
        def op(name, **more):
            return torch.library.custom_op(f"m::{name}", **more)
        @op("f", mutates_args=["x"])
        def f(x: torch.Tensor) -> None: ...
        """,
        ["4 custom_op m::f(Tensor(a0!) x) -> ()"],
    ),
    "a class that registers when it is asked": (
        """
        class Wrapper:
            def __init__(self, name, func):
                self.name, self.func = name, func
            @property
            def op(self):
                torch.library.define("m::" + self.name, torch.library.infer_schema(self.func, mutates_args=()))
        def wrapped(func):
            return Wrapper(func.__name__, func).op
        @wrapped
        def f(x: torch.Tensor) -> torch.Tensor: ...
        """,
        ["10 wrapped m::f(Tensor x) -> Tensor"],
    ),
    "partial": (
        """
        import functools
        op = functools.partial(torch.library.custom_op, mutates_args=())
        @op("m::f")
        def f(x: torch.Tensor) -> torch.Tensor: ...
        """,
        ["4 custom_op m::f(Tensor x) -> Tensor"],
    ),
    "map": (
        """
        lib = torch.library.Library("m", "DEF")
        list(map(lib.define, ["f() -> ()", "g() -> ()"]))
        deque(map(lambda name, key: lib.impl(name, fake, key), ("f", "g"), ("CPU", "CUDA")))
        """,
        ["3 define m::f() -> ()", "3 define m::g() -> ()", "4 kernel m::f [CPU] fake", "4 kernel m::g [CUDA] fake"],
    ),
    "what hangs on no parameter counts once": (
        """
        def register(name):
            torch.library.define("m::f", "() -> ()")
            torch.library.register_fake(name, fake)
        register("m::f")
        register("m::g")
        """,
        ["3 define m::f() -> ()", "5 fake m::f [] fake", "6 fake m::g [] fake"],
    ),
    "a function that may return one thing or another": (
        """
        def has_feature():
            if probe():
                return True
            return False
        try:
            FOUND = probe()
        except OSError:
            FOUND = False
        if has_feature() or FOUND:
            torch.library.register_fake("m::f", f)
        """,
        ["11 fake m::f [] f"],
    ),
    "recursion ends": (
        """
        def register(name):
            torch.library.register_fake(name, fake)
            return register(name)
        register("m::f")
        """,
        ["5 fake m::f [] fake"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HELPERS)
def test_a_helper_of_the_project_is_read_by_what_it_does(name):
    text, expected = HELPERS[name]
    assert told(read(text)) == expected


def test_helpers_libraries_and_constants_are_found_in_other_sources():
    helper = """
        import torch
        NS = "m"
        LIB = torch.library.Library(NS, "FRAGMENT")
        def register(name, fn):
            LIB.impl(name, fn, "CPU")
    """
    text = """
        import helper as h
        from helper import LIB, NS, register as r
        LIB.define("f() -> ()")
        r("f", k)
        h.register("g", k)
        h.LIB.impl(f"{NS}::h", k, "CPU")
    """
    expected = ["4 define m::f() -> ()", "5 kernel m::f [CPU] k", "6 kernel m::g [CPU] k", "7 kernel m::h [CPU] k"]
    assert told(read(text, helper=helper)) == expected


def test_a_function_that_calls_a_helper_with_all_there_is_to_know_is_read_once():
    text = """
        LIB = torch.library.Library("mylib", "FRAGMENT")
        def register(name):
            LIB.define(name + "(Tensor x) -> Tensor")
        def register_all():
            register("scale")
        register_all()
    """
    assert told(read(text)) == ["6 register mylib::scale(Tensor x) -> Tensor"]


def test_what_a_function_registers_once_is_read_where_it_stands():
    found = read(
        """
        DONE = False
        def register(name):
            torch.library.define("m::" + name, "() -> ()")
        def all_of_them():
            global DONE
            if not DONE:
                register("one")
                register("two")
                DONE = True
        all_of_them()
        """
    )
    assert told(found) == ["8 register m::one() -> ()", "9 register m::two() -> ()"]


def test_flags_that_only_type_checkers_see_decide_nothing():
    found = read(
        """
        import flags
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            WITH_G: bool = False
        if flags.WITH_F:
            torch.library.define("m::f", "() -> ()")
        if WITH_G:
            torch.library.define("m::g", "() -> ()")
        """,
        flags="import typing\nif typing.TYPE_CHECKING:\n    WITH_F: bool = False\ndef __getattr__(name): ...\n",
    )
    assert told(found) == ["7 define m::f() -> ()", "9 define m::g() -> ()"]


@pytest.mark.parametrize("package", ["vllm", "sglang"])
def test_a_well_known_helper_is_read_where_its_source_is_not(package):
    found = read(
        f"""
        from {package}.utils.torch_utils import direct_register_custom_op
        def f(x: torch.Tensor, out: torch.Tensor) -> None: ...
        direct_register_custom_op(op_name="f", op_func=f, mutates_args=["out"], fake_impl=lambda x, out: None)
        """
    )
    assert told(found) == [
        f"4 direct_register_custom_op {package}::f(Tensor x, Tensor(a1!) out) -> ()",
        f"4 kernel {package}::f [current_platform.dispatch_key] f",
        f"4 fake {package}::f [] ",
    ]


def test_texts_know_where_their_characters_stand():
    text = """
        NS = "mm"
        torch.library.register_fake(f"{NS}::name", f)
        torch.library.define("mm::f", "(Tensor x) "
            r"-> Tensor")
        @torch.library.custom_op("mm::g", mutates_args=())
        def g(x: torch.Tensor, weight: torch.Tensor = None) -> torch.Tensor: ...
    """
    found = read(text)
    name = found.implementations[0].op.locate()
    assert (name.start.line, name.source.text[slice(*name.span)]) == (3, "{NS}::name")
    schema = found.definitions[0].schema
    tensor = schema.part(_span(schema.value, "Tensor", last=True)).locate()
    assert (tensor.start.line, tensor.source.text[slice(*tensor.span)]) == (5, "Tensor")
    inferred = found.definitions[1].schema
    weight = inferred.part(_span(inferred.value, "Tensor weight=None")).locate()
    assert weight.source.text[slice(*weight.span)] == "weight: torch.Tensor = None"


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_texts_know_their_places_whatever_ends_a_line(line_break):
    lines = (
        'text = """ä',
        '"""',
        'torch.library.define("mm::f", """\\',
        "(Tensor x,",
        '    int n) -> Tensor""")',
        'torch.library.define("mm::g", "(Tensor x, " \\',
        '    r"int n)"  # more',
        '    "-> Tensor")',
    )
    text = "".join(line + line_break for line in ("import torch", *lines))
    for definition in read_python([Source("ops.py", text)]).definitions:
        number = definition.schema.part(_span(definition.schema.value, "int n")).locate()
        assert text[slice(*number.span)] == "int n"
        tensor = definition.schema.part(_span(definition.schema.value, "-> Tensor")).locate()
        assert text[slice(*tensor.span)] == "-> Tensor"


def _span(text: str, part: str, *, last: bool = False):
    from opgen.source import Span  # noqa: PLC0415 - for this test alone

    start = text.rindex(part) if last else text.index(part)
    return Span(start, start + len(part))


def test_a_function_is_described_with_its_parameters_and_body():
    found = read(
        """
        @torch.library.register_fake("m::f")
        def fake(x, /, y: int = 2, *rest, z: "list[int]", w=None, **more) -> torch.Tensor:
            return x
        """
    )
    function = found.implementations[0].function
    assert [(p.name, p.kind, p.type, p.default) for p in function.parameters] == [
        ("x", "positional", "", None),
        ("y", "positional", "int", "2"),
        ("rest", "variadic", "", None),
        ("z", "keyword_only", '"list[int]"', None),
        ("w", "keyword_only", "", "None"),
        ("more", "keywords", "", None),
    ]
    assert (function.name, function.result, function.body.value, function.location.start.line) == (
        "fake",
        "torch.Tensor",
        "return x",
        3,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f():\n    lib = torch.library.Library('m', 'DEF')\n    lib.define('f() -> ()')", [("lib", "local", 3)]),
        ("def f():\n    lib = torch.library.Library('m', 'DEF')\n    torch.library.define('m::f', '() -> ()', lib=lib)", [("lib", "local", 3)]),
        ("def f():\n    lib = torch.library.Library('m', 'DEF')\n    return lib", []),
        ("def f():\n    lib = torch.library.Library('m', 'DEF')\n    KEEP.append(lib)", []),
        ("def f(self):\n    lib = torch.library.Library('m', 'DEF')\n    self.lib = lib", []),
        ("def f(self):\n    self.lib = torch.library.Library('m', 'DEF')", []),
        ("def f():\n    global lib\n    lib = torch.library.Library('m', 'DEF')", []),
        ("def f():\n    lib = torch.library.Library('m', 'DEF')\n    def g(): lib.define('f() -> ()')\n    return g", []),
        ("lib = torch.library.Library('m', 'DEF')\nlib.define('f() -> ()')", []),
        ("lib = torch.library.Library('m', 'DEF')\nlib = torch.library.Library('n', 'DEF')", [("lib", "rebound", 2)]),
        ("lib = torch.library.Library('m', 'DEF')\nKEEP.append(lib)\nlib = None", []),
        ("lib = torch.library.Library('m', 'DEF')\ndel lib", [("lib", "deleted", 2)]),
        ("torch.library.Library('m', 'DEF').define('f() -> ()')", [("", "unbound", 2)]),
        ("with torch.library._scoped_library('m', 'DEF') as lib: pass", [("", "scoped", 2)]),
    ],
)  # fmt: skip
def test_a_library_that_dies_is_noticed(text, expected):
    found = read(text)
    assert [(one.name, one.end, one.location.start.line) for one in found.short_lived] == expected


@pytest.mark.parametrize(
    ("signature", "mutates", "parameter", "suggestion"),
    [
        ("x: torch.Tensor, k: tuple[int, int]", (), "k", "SymInt[2]"),
        ("x: torch.Tensor, k: tuple[int, ...]", (), "k", "SymInt[]"),
        ("x: list[torch.Tensor] | None = None", (), "x", "Tensor[]?"),
        ("x: torch.Tensor, g: torch.Generator", (), "g", "Generator"),
        ("x: torch.Tensor, m: dict[str, int]", (), "m", ""),
        ("x", (), "x", ""),
        ("x: torch.Tensor", ("y",), "", ""),
        ("x: torch.Tensor", "x", "", ""),
        ("x: int", ("x",), "x", ""),
        ("x: torch.Tensor, n: int = ()", (), "n", ""),
    ],
)
def test_what_pytorch_refuses_to_infer_is_said_with_a_remedy(signature, mutates, parameter, suggestion):
    found = read(f"@torch.library.custom_op('m::f', mutates_args={mutates!r})\ndef f({signature}) -> torch.Tensor: ...")
    (definition,) = found.definitions
    assert definition.schema.value == "f"
    assert definition.is_name_only
    assert [(one.parameter, one.suggestion) for one in definition.uninferable] == [(parameter, suggestion)]
    assert not found.unread


def test_a_type_from_elsewhere_is_unread_not_refused():
    found = read(
        """
        from somewhere import Handle
        @torch.library.custom_op("m::f", mutates_args=())
        def f(x: torch.Tensor, h: Handle) -> torch.Tensor: ...
        """
    )
    assert found.definitions[0].uninferable == ()
    assert "somewhere.Handle" in found.unread[0].reason


def test_branches_and_loads_are_noted():
    found = read(
        """
        torch.ops.load_library("a.so")
        if hasattr(torch.ops.m, "f"):
            torch.library.register_fake("m::f", a)
        else:
            torch.library.register_fake("m::f", b)
        """
    )
    assert [one.location.start.line for one in found.loads] == [2]
    one, other = (implementation.conditions[0] for implementation in found.implementations)
    assert (one.text, other.text) == ('hasattr(torch.ops.m, "f")', 'not (hasattr(torch.ops.m, "f"))')
    assert one.excludes(other)


@pytest.mark.parametrize("text", ["torch.library.define(", "\0 register_fake", "custom_op " + "(" * 3000])
def test_what_is_no_python_is_unread(text):
    found = read_python([Source("ops.py", text)])
    assert [one.reason.split(":")[0] for one in found.unread] == ["the file is no Python"]


FIRST, SECOND = "s = 'f() -> ()'\n", "s = 'g() -> ()'\n"
NAMES = {
    # how the name is bound, whether it is known behind that
    "the same in a branch": (f"{FIRST}if A:\n    {FIRST}", ["f() -> ()"]),
    "another one in a branch": (f"{FIRST}if A:\n    {SECOND}", []),
    "another one in a branch that leaves": (f"{FIRST}if A:\n    {SECOND}    raise\n", ["f() -> ()"]),
    "new in a branch": (f"if A:\n    {FIRST}", ["f() -> ()"]),
    "new in both branches": (f"if A:\n    {FIRST}else:\n    {FIRST}", ["f() -> ()"]),
    "one in each branch": (f"if A:\n    {FIRST}else:\n    {SECOND}", []),
    "as before in the other branch": (f"{FIRST}if A:\n    {SECOND}    raise\nelse:\n    t = s\ns = t\n", ["f() -> ()"]),
    "the same behind an inner branch": (f"{FIRST}if A:\n    if B:\n        {SECOND}    {FIRST}", ["f() -> ()"]),
    "another one in an inner branch": (f"{FIRST}if A:\n    if B:\n        {SECOND}", []),
    "another one in a handler": (f"{FIRST}try:\n    pass\nexcept A:\n    {SECOND}", ["f() -> ()"]),
    "new in a handler": (f"try:\n    pass\nexcept A:\n    {SECOND}", ["g() -> ()"]),
    "another one in a case": (f"{FIRST}match A:\n    case 1:\n        {SECOND}    case 2:\n        {FIRST}", []),
    "the same in all cases": (
        f"{FIRST}match A:\n    case 1:\n        {FIRST}    case 2:\n        {FIRST}",
        ["f() -> ()"],
    ),
}


@pytest.mark.parametrize("what", NAMES)
def test_a_name_is_what_every_way_to_it_makes_it(what):
    text, expected = NAMES[what]
    head = "import torch\nlib = torch.library.Library('a', 'DEF')\n"
    found = read_python([Source("ops.py", f"{head}{text}lib.define(s)\n")])
    assert [each.schema.value for each in found.definitions] == expected
    assert len(found.unread) == (not expected)
