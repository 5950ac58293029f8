import pytest


@pytest.mark.parametrize(
    ("head", "statement", "keys"),
    [
        ("TORCH_LIBRARY_IMPL(lib, CPU, m)", 'm.impl("f", &g);', ("CPU",)),
        ("TORCH_LIBRARY_IMPL_EXPAND(lib, CUDA, m)", 'm.impl("f", &g);', ("CUDA",)),
        ("STABLE_TORCH_LIBRARY_IMPL(lib, AutogradCPU, m)", 'm.impl("f", TORCH_BOX(&g));', ("AutogradCPU",)),
        ("TORCH_LIBRARY(lib, m)", 'm.impl("f", torch::kCUDA, &g);', ("CUDA",)),
        ("TORCH_LIBRARY(lib, m)", 'm.impl("f", c10::DispatchKey::Meta, &g);', ("Meta",)),
        ("TORCH_LIBRARY(lib, m)", 'm.impl("f", torch::dispatch(c10::kXPU, TORCH_FN(g)));', ("XPU",)),
        (
            "TORCH_LIBRARY(lib, m)",
            'm.impl("f", torch::dispatch(c10::DispatchKey::CatchAll, g));',
            ("CompositeImplicitAutograd",),
        ),
        ("TORCH_LIBRARY(lib, m)", 'm.impl("f", &g);', ("CompositeImplicitAutograd",)),
    ],
)
def test_the_key_comes_from_the_block_or_the_statement(read, head, statement, keys):
    (implementation,) = read(f"{head} {{ {statement} }}").implementations
    assert (implementation.op.value, implementation.keys) == ("lib::f", keys)
    assert implementation.function.name == "g"


@pytest.mark.parametrize(
    ("argument", "name", "boxed", "has_parameters"),
    [
        ("&k::g", "k::g", False, True),
        ("k::g", "k::g", False, True),
        ("TORCH_FN(k::g)", "k::g", False, True),
        ("TORCH_FN((k::t<float, 4>))", "k::t<float, 4>", False, True),
        ("&k::t<float, 4>", "k::t<float, 4>", False, True),
        ("torch::CppFunction(&k::g)", "k::g", False, True),
        ("TORCH_BOX(&k::g)", "k::g", True, True),
        ("torch::CppFunction::makeFromBoxedFunction<&k::g>()", "k::g", True, False),
        ("make_shim(&k::g)", "k::g", False, False),
        (
            "torch::autograd::autogradNotImplementedFallback()",
            "torch::autograd::autogradNotImplementedFallback",
            False,
            False,
        ),
        ("&k::stack", "k::stack", False, False),
        ("[](const at::Tensor& x) { return x; }", "", False, True),
        ("+[](const at::Tensor& x) { return x; }", "", False, True),
        ("&unknown", "unknown", False, False),
    ],
)
def test_wrappers_around_a_function_are_looked_through(read, argument, name, boxed, has_parameters):
    found = read(
        "namespace k {\nat::Tensor g(const at::Tensor& x) { return x; }\n"
        "template <typename T, int N> at::Tensor t(const at::Tensor& x) { return x; }\n"
        "void stack(StableIValue* stack, uint64_t a, uint64_t b) {}\n}\n"
        f'TORCH_LIBRARY_IMPL(lib, CPU, m) {{ m.impl("f", {argument}); }}'
    )
    (implementation,) = found.implementations
    assert (implementation.function.name, implementation.boxed) == (name, boxed)
    assert (implementation.function.parameters is not None) is has_parameters


def test_fallthrough_has_no_function(read):
    found = read(
        'TORCH_LIBRARY_IMPL(lib, Autograd, m) { m.impl("f", torch::CppFunction::makeFallthrough()); }\n'
        "TORCH_LIBRARY_IMPL(_, Autocast, m) { m.fallback(torch::CppFunction::makeFallthrough()); }"
    )
    assert [(one.op.value, one.keys, one.fallthrough, one.function) for one in found.implementations] == [
        ("lib::f", ("Autograd",), True, None),
        ("_::*", ("Autocast",), True, None),
    ]


def test_an_op_knows_where_its_name_stands(read):
    (implementation,) = read('TORCH_LIBRARY_IMPL(lib, CPU, m) {\n  m.impl("f.out", &g);\n}').implementations
    location = implementation.op.locate()
    assert (location.start, location.end) == ((2, 11), (2, 16))
    assert implementation.location.start == (2, 3)


def test_an_ops_own_namespace_goes_before_the_blocks(read):
    (implementation,) = read('TORCH_LIBRARY_IMPL(lib, CPU, m) { m.impl("other::f", &g); }').implementations
    assert implementation.op.value == "other::f"
