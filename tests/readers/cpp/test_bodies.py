import re

import pytest

from opgen.readers.cpp.devices import device_guards, launches
from opgen.readers.cpp.expressions import Chain, chain, method_calls
from opgen.readers.cpp.occurrences import autograd_functions, occurrences
from opgen.readers.cpp.pointers import pointer_accesses
from opgen.readers.cpp.returns import returned
from opgen.source import Source


@pytest.mark.parametrize(
    ("statement", "variable", "writes"),
    [
        ("float* p = x.mutable_data_ptr<float>();", "x", True),
        ("auto p = x.const_data_ptr<float>();", "x", False),
        ("float* p = x.data_ptr<float>();", "x", None),
        ("const float* p = x.data_ptr<float>();", "x", False),
        ("auto p = x.data_ptr<const float>();", "x", False),
        ("auto p = static_cast<const float*>(x.data_ptr());", "x", False),
        ("auto p = reinterpret_cast<float*>(x.data_ptr());", "x", None),
        ("run(x->mutable_data_ptr());", "x", True),
        ("run(x.value().mutable_data_ptr());", "x", True),
        ("run((*x).mutable_data_ptr());", "x", True),
        ("auto a = x.packed_accessor32<float, 2>();", "x", None),
        ("run(make().mutable_data_ptr());", "", True),
    ],
)
def test_accesses_to_memory_are_found(kernel, statement, variable, writes):
    (access,) = pointer_accesses(kernel(f"void f(at::Tensor x) {{\n  // x.data_ptr()\n  {statement}\n}}"))
    assert (access.variable, access.writes, access.location.start.line) == (variable, writes, 3)


def test_what_stands_between_a_tensor_and_its_pointer_is_kept(kernel):
    (access,) = pointer_accesses(kernel("void f(at::Tensor x) { run(x.contiguous().data_ptr()); }"))
    assert (access.variable, access.methods) == ("x", ("contiguous",))


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("return x;", ("x",)),
        ("return *x;", ("x",)),
        ("return std::move(x);", ("x",)),
        ("return x.value();", ("x",)),
        ("return {x, y};", ("x", "y")),
        ("return std::make_tuple(x, g(y));", ("x", "")),
        ("return x + 1;", ("",)),
        ("return;", ()),
        ("auto l = [&] { return y; }; return x;", ("x",)),
    ],
)
def test_returned_variables_are_found(kernel, statement, names):
    (one,) = returned(kernel(f"at::Tensor f(at::Tensor x) {{\n  {statement}\n}}"))
    assert one.names == names
    assert one.location.start.line == 2


def test_a_returned_chain_is_followed_to_its_variable(kernel):
    (one,) = returned(kernel("at::Tensor f(at::Tensor x) { return x.narrow(0, 0, 1).view({2, 3}); }"))
    assert chain(one.parsed, one.node) == Chain("x", ("narrow", "view"))


def test_calls_of_methods_are_found(kernel):
    calls = list(method_calls(kernel("void f(at::Tensor& x, at::Tensor y) { x.copy_(y.mul(2)); }")))
    assert [(call.receiver.variable, call.method, len(call.arguments)) for call in calls] == [
        ("x", "copy_", 1),
        ("y", "mul", 1),
    ]


def test_launches_and_guards_are_found(kernel):
    found = kernel("""void f(at::Tensor x) {
  const at::cuda::OptionalCUDAGuard guard(x.device());
  auto stream = at::cuda::getCurrentCUDAStream();
  // k<<<1, 1>>>(x);
  k<float, 4><<<dim3(1, 2), 3, 0, stream>>>(x.data_ptr<float>());
  ns::k<<<(n + 1) / 2, 3>>>(x.data_ptr<float>());
}""")
    assert [(one.kernel, one.stream, one.location.start.line) for one in launches(found)] == [
        ("k", "stream", 5),
        ("ns::k", None, 6),
    ]
    assert [one.value for one in device_guards(found)] == ["OptionalCUDAGuard"]
    assert [one.variable for one in pointer_accesses(found)] == ["x", "x"]


def test_autograd_functions_are_found_with_their_methods():
    source = Source(
        "ops.cpp",
        """// struct No : torch::autograd::Function<No> {};
class Square final : public torch::autograd::Function<Square> {
 public:
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x) { return x * x; }
  static variable_list backward(AutogradContext* ctx, variable_list grads);
};
variable_list Square::backward(AutogradContext* ctx, variable_list grads) { return {grads[0]}; }
struct Other : Base<Other> {};
""",
    )
    (one,) = autograd_functions(source)
    assert (one.name, one.location.start.line) == ("Square", 2)
    assert [parameter.name for parameter in one.forward.parameters] == ["ctx", "x"]
    assert one.backward.body.locate().start.line == 7


def test_occurrences_are_those_in_code():
    source = Source("ops.cpp", '// PYBIND11_MODULE(no)\nauto s = "PYBIND11_MODULE(no)";\nPYBIND11_MODULE(_C, m) {}\n')
    assert [place.start for _, place in occurrences(source, re.compile("PYBIND11_MODULE"))] == [(3, 1)]
