"""What a kernel's `symbol` and `file`, and an op's `registered`, may say, and which of two wins."""

import pytest

HEAD = "opgen: 1\nnamespace: mylib\n"


def op(*keys, defaults=""):
    entry = "\n    ".join(["func: f(Tensor x) -> Tensor", *keys])
    return f"{HEAD}{defaults}ops:\n  - {entry}\n"


@pytest.mark.parametrize(
    ("kind", "symbol", "expected"),
    [
        ("cpp", "module:function", "a C++ function, 'a::f'"),
        ("cuda", "a.f", "a C++ function, 'a::f'"),
        ("python", "a::f", "'module:function'"),
        ("triton", "f", "'module:function'"),
        ("python", "module.f", "'module:function'"),
    ],
)
def test_a_symbol_is_one_of_the_kernels_language(kind, symbol, expected, load):
    key = f'dispatch: {{CPU: {{kernel: {kind}, symbol: "{symbol}"}}}}'

    (found,) = load(op(key)).diagnostics

    assert found.code.id == "OPG137"
    assert found.message == f"'symbol' of a {kind} kernel expects {expected}, found '{symbol}'"
    assert found.location.source.text[slice(*found.location.span)].strip('"') == symbol


@pytest.mark.parametrize(
    ("kind", "symbol", "meant"),
    [
        ("cpp", "f", "f"),
        ("cpp", "::a::b::f", "a::b::f"),
        ("python", "a.b:C.f", "a.b:C.f"),
    ],
)
def test_a_symbol_arrives(kind, symbol, meant, load):
    result = load(op(f'dispatch: {{CPU: {{kernel: {kind}, symbol: "{symbol}"}}}}'))

    assert not result.diagnostics
    assert result.library.ops[0].dispatch[0].symbol == meant


@pytest.mark.parametrize("path", ["/etc/f.cpp", "../f.cpp", "a/../../f.cpp"])
def test_a_file_outside_of_the_project_is_refused(path, load):
    (found,) = load(op(f'dispatch: {{CPU: {{kernel: cpp, file: "{path}"}}}}')).diagnostics

    assert found.message.startswith("'file' expects a file inside of the project")


@pytest.mark.parametrize("path", [r"a.h\"\nint injected;//", r"a.h\nint injected;", r"a.h\" // ", r"a\u2028.h"])
def test_a_file_that_would_end_an_include_is_refused(path, load):
    (found,) = load(op(f'dispatch: {{CPU: {{kernel: cpp, file: "{path}"}}}}')).diagnostics

    assert found.message.startswith("'file' expects a file inside of the project")


def test_an_op_that_states_dispatch_has_left_what_defaults_say_is_registered(load):
    defaults = "defaults: {registered: csrc/a.cpp}\n"

    assert load(op("dispatch: {CPU: cpp}", defaults=defaults)).library.ops[0].registered is None
    assert load(op(defaults=defaults)).library.ops[0].registered.value == "csrc/a.cpp"
    assert load(op("dispatch: {CPU: cpp}", "registered: csrc/a.cpp")).library.ops[0].registered is not None
