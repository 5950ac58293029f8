"""What a C++ kernel writes through pointers, and what the functions that it calls write: one row a spelling."""

import pytest

from opgen.readers.cpp import read_cpp
from opgen.rules.registrations.registry import judge_registrations
from opgen.source import Source

REGISTERED = """
TORCH_LIBRARY(mylib, m) {{ m.def("op({schema}) -> ()"); }}
TORCH_LIBRARY_IMPL(mylib, CPU, m) {{ m.impl("op", &f); }}
"""


def writes(body, *helpers, taken="const at::Tensor& x, at::Tensor& y", schema="Tensor x, Tensor(a!) y"):
    """Return the severities of the findings about what a kernel writes; the last of the helpers stands in another file."""
    here, elsewhere = helpers[:1], helpers[1:]
    text = "\n".join((*here, f"void f({taken}) {{ TORCH_CHECK(x.is_contiguous()); {body} }}"))
    sources = [Source("csrc/ops.cu", text + REGISTERED.format(schema=schema))]
    sources += [Source(f"csrc/helper{index}.cuh", one) for index, one in enumerate(elsewhere)]
    findings = judge_registrations(read_cpp(sources, {}))
    return [one.severity.value for one in findings if one.code.name == "cpp-undeclared-write"]


@pytest.mark.parametrize(
    "body",
    [
        "float* p = x.data_ptr<float>(); p[0] = 1;",
        "float* p = x.data_ptr<float>(); p[0] += 1;",
        "float *a, *p = x.data_ptr<float>(); ++p[0];",
        "auto p = x.data_ptr<float>(); *p++ = 1;",
        "auto* p = x.data_ptr<float>(); auto q = p + 3; *(q + 1) = 1;",
        "auto* p = (float*)x.data_ptr(); (*p) = 1;",
        "auto p = x.data_ptr<float>(); reinterpret_cast<float4*>(p)[2] = v;",
        "auto p = x.data_ptr<float>(); *reinterpret_cast<float4*>(&p[4]) = v;",
        "auto p = x.data_ptr<float>(); auto& r = p[3]; r = 1;",
        "auto p = static_cast<Pair*>(x.data_ptr()); p->first = 1; ",
        "auto p = static_cast<Pair*>(x.data_ptr()); p[2].first = 1; ",
        "auto p = static_cast<Rows*>(x.data_ptr()); p[2][1] = 1; ",
        "x.data_ptr<float>()[0] = 1;",
        "float* p = nullptr; p = x.data_ptr<float>(); p[0] = 1;",
        "float* p = x.data_ptr<float>(); p += 4; p = p + 4; p[0] = 1;",
        "float* p = has ? x.data_ptr<float>() : nullptr; p[0] = 1;",
        "auto a = x.accessor<float, 2>(); a[0][1] = 1;",
        "auto a = x.packed_accessor32<float, 2>(); auto row = a[0]; row[1] = 1;",
        "x[0] = 1;",
        "x.select(0, 1).data_ptr<float>()[0] = 1;",
        'AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "f", [&] { auto p = x.data_ptr<scalar_t>(); p[0] = 1; });',
        "auto p = x.data_ptr<float>(); at::parallel_for(0, n, 1, [&](int64_t b, int64_t e) { p[b] = 1; });",
        "auto set = [&](float* p, float v) { *p = v; }; set(y.data_ptr<float>(), 1); set(x.data_ptr<float>(), 1);",
        "atomicAdd(x.data_ptr<float>() + i, 1.f);",
        "memcpy(x.data_ptr(), y.data_ptr(), n);",
        "cudaMemsetAsync(x.data_ptr(), 0, n, stream);",
        "std::copy(y.data_ptr<float>(), y.data_ptr<float>() + n, x.data_ptr<float>());",
        "Vec v; v.store(x.data_ptr<float>() + i);",
        "_mm512_storeu_ps(x.data_ptr<float>(), v);",
        "at::add_out(x, y, y);",
        "torch::stable::fill_(x, 0);",
    ],
)  # fmt: skip
def test_a_store_is_an_error_in_every_spelling(body):
    assert writes(body) == ["error"]


@pytest.mark.parametrize(
    "body",
    [
        "const float* p = x.data_ptr<float>(); y.data_ptr<float>()[0] = p[0];",
        "auto p = x.data_ptr<const float>(); y.data_ptr<float>()[0] = p[0];",
        "auto p = x.const_data_ptr<float>(); p[0] = 1;",
        "auto p = x.data_ptr<float>(); float v = p[0]; v = 1; v += p[1];",
        "auto p = x.data_ptr<float>(); { auto p = y.data_ptr<float>(); p[0] = 1; }",
        "auto p = x.data_ptr<float>(); p = y.data_ptr<float>(); p[0] = 1;",
        "auto p = x.data_ptr<float>(); p = scratch(); p[0] = 1;",
        "auto z = x.contiguous(); z.data_ptr<float>()[0] = 1;",
        "auto z = x.clone(); z.zero_(); z.data_ptr<float>()[0] = 1;",
        "auto p = (float**)x.data_ptr(); p[0][1] = 1;",
        "auto p = reinterpret_cast<float*>(x.data_ptr<int64_t>()[0]); p[0] = 1;",
        "float p[4]; float* q = p; q[0] = x.data_ptr<float>()[0];",
        "auto a = x.accessor<float, 1>(); float v = a[0]; v = 1;",
        "std::copy(x.data_ptr<float>(), x.data_ptr<float>() + n, y.data_ptr<float>());",
        "memcpy(y.data_ptr(), x.data_ptr(), n);",
        "Vec v; v.load(x.data_ptr<float>());",
        "helper(x.data_ptr<float>());",
        "// x.data_ptr<float>()[0] = 1;",
        "params.out = x.data_ptr<float>(); params.out[0] = 1;",
    ],
)
def test_what_only_reads_or_is_not_known_is_left_alone(body):
    assert writes(body) == []


KERNEL = "template <typename T> __global__ void {name}({taken}) {{ {body} }}"


@pytest.mark.parametrize(
    ("taken", "body"),
    [
        ("T* __restrict__ p, int n", "p[threadIdx.x] = n;"),
        ("T* p, int n", "T* q = p + n; *q = 1;"),
        ("T* p, int n, int m = 1", "#pragma unroll\n for (int i = 0; i < n; ++i) { p[i] += 1; }"),
        ("void* p, int n", "static_cast<T*>(p)[0] = 1;"),
        ("T p[], int n", "p[0] = 1;"),
        ("T p, int n", "p[0] = 1;"),
        ("T* p, int n", "GUARD_IN(name)\n  p[0] = 1;"),
    ],
)
def test_a_function_or_kernel_that_stores_through_its_parameter_writes(taken, body):
    helper = KERNEL.format(name="go", taken=taken, body=body)
    assert writes("go(x.data_ptr<float>(), 3);", helper) == ["error"]
    assert writes("go<float><<<grid, block, 0, stream>>>(x.data_ptr<float>(), 3);", helper) == ["error"]
    assert writes("auto k = &go<float>; k<<<1, 2>>>(x.data_ptr<float>(), 3);", helper) == ["error"]
    assert writes("cudaLaunchKernelEx(&config, go<float>, x.data_ptr<float>(), 3);", helper) == ["error"]
    assert writes("go(x.data_ptr<float>(), 3);", "", helper) == ["error"]  # of another file


@pytest.mark.parametrize(
    ("helper", "severities"),
    [
        ("void go(const float* p, int n) { out[0] = p[0]; }", []),
        ("void go(float const* p, int n) { out[0] = p[0]; }", []),
        ("void go(float* p, int n) { out[0] = p[n]; }", []),
        ("void go(float* p, int n) { float* q = scratch; q[0] = p[0]; p = q; p[1] = 1; }", []),
        ("void go(float* p, int n);", []),
        ("void go(float* p, int n, int m) { p[0] = 1; } void go(float* p, int n) { use(p[0]); }", []),
        ("void go(float* p, float* q) { p[0] = 1; }", ["error"]),
        ("namespace other { void go(float* p, int n) { p[0] = 1; } }", []),
        ("struct S { void go(float* p, int n) { p[0] = 1; } };", []),
        ("void go(float* p, int n) { p[0] = 1; } void go(double* p, int n) { use(p[0]); }", ["warning"]),
        ("void go(float* p, int n) { p[0] = 1; } void go(double* p, int n) { p[1] = 1; }", ["error"]),
        ("void go(float* p, int n) { if (n) { go(p, n - 1); } else { p[0] = 1; } }", ["error"]),
        ("void go(float* p, int n) { go(p, n - 1); }", []),
        ("void go(float* p, int n) { last(p); } void last(float* p) { next(&p[2]); } void next(float* p) { *p = 1; }", ["error"]),
        ("void go(float* p, int n) { add(p[n], 1); } void add(float& to, float v) { to += v; }", ["error"]),
        ("void go(float* p, int n) { add(p[n], 1); } void add(const float& to, float v) { use(to); }", []),
        ("float* at(float* p, int n) { return p + n; } void go(float* p, int n) { at(p, n)[0] = 1; }", ["error"]),
        ("float* at(float* p, int n) { return scratch; } void go(float* p, int n) { at(p, n)[0] = 1; }", []),
        ("#define LAUNCH(T) go1<T>(p, n)\nvoid go1(float* p, int n) { *p = 1; } void go(float* p, int n) { LAUNCH(float); }", ["error"]),
        ("#define CHECK_IT(p) assert(p)\nvoid go(float* p, int n) { CHECK_IT(p); }", []),
    ],
)  # fmt: skip
def test_functions_that_are_called_are_looked_into(helper, severities):
    assert writes("go(x.data_ptr<float>(), n);", helper) == severities


@pytest.mark.parametrize(
    ("helper", "severities"),
    [
        ("void go(at::Tensor& t) { t.zero_(); }", ["error"]),
        ("void go(const at::Tensor& t) { t.view(-1).data_ptr<float>()[0] = 1; }", ["error"]),
        ("void go(at::Tensor t) { t = at::empty_like(t); t.zero_(); }", []),
        ("void go(const at::Tensor& t) { auto u = t.clone(); u.zero_(); }", []),
    ],
)
def test_a_tensor_that_is_handed_on_is_followed(helper, severities):
    assert writes("go(x);", helper) == severities


def test_lists_and_optional_tensors_are_followed():
    taken = "const std::optional<at::Tensor>& x, std::vector<at::Tensor> y"
    schema = "Tensor? x, Tensor[] y"
    assert writes("x->data_ptr<float>()[0] = 1;", taken=taken, schema=schema) == ["error"]
    assert writes("x.value().data_ptr<float>()[0] = 1;", taken=taken, schema=schema) == ["error"]
    assert writes("for (auto& t : y) { t.zero_(); }", taken=taken, schema=schema) == ["error"]
    assert writes("y[0].data_ptr<float>()[0] = 1;", taken=taken, schema=schema) == ["error"]
    assert writes("y[0] = at::empty({1});", taken=taken, schema=schema) == []


def test_the_finding_shows_where_the_function_is_called_and_where_it_stores():
    text = "void go(float* p) {\n  p[0] = 1;\n}\nvoid f(const at::Tensor& x) {\n  go(x.data_ptr<float>());\n}"
    findings = judge_registrations(read_cpp([Source("ops.cpp", text + REGISTERED.format(schema="Tensor x"))], {}))
    (finding,) = [one for one in findings if one.code.name == "cpp-undeclared-write"]
    assert finding.message == "the kernel passes 'x' to `go`, which writes it, but the schema does not mark it with `!`"
    assert [(note.message, note.location.start.line) for note in finding.notes] == [
        ("`go` is called here", 5),
        ("it is written here", 2),
    ]
    assert finding.fix is not None


def test_hostile_bodies_end():
    chain = "; ".join(f"float* p{n + 1} = p{n} + 1" for n in range(300))
    assert writes(f"float* p0 = x.data_ptr<float>(); {chain}; p300[0] = 1;") == []
    assert writes(f"float* p = x.data_ptr<float>(); {'(' * 300}p{')' * 300}[0] = 1;") == []
    calls = "\n".join(f"void g{n}(float* p) {{ g{n + 1}(p); g{n // 2}(p); }}" for n in range(300))
    assert writes("g0(x.data_ptr<float>());", f"{calls}\nvoid g300(float* p) {{ *p = 1; }}") == ["error"]
