// `add` as most people write it by hand, on the stable ABI: in-place and out= forms without version counters, tests of leaves,
// gradients or overlap, so that `by_hand` is fast and wrong.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>

using torch::stable::Tensor;

namespace {

void fill(const Tensor& x, const Tensor& y, Tensor& out) {
  STD_TORCH_CHECK(x.scalar_type() == torch::headeronly::ScalarType::Float, "x must be float32");
  STD_TORCH_CHECK(y.scalar_type() == x.scalar_type() && out.scalar_type() == x.scalar_type(), "one dtype is needed");
  STD_TORCH_CHECK(y.sizes().equals(x.sizes()) && out.sizes().equals(x.sizes()), "one shape is needed");
  STD_TORCH_CHECK(x.is_contiguous() && y.is_contiguous() && out.is_contiguous(), "tensors must be contiguous");
  const float* a = x.const_data_ptr<float>();
  const float* b = y.const_data_ptr<float>();
  float* sum = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) sum[i] = a[i] + b[i];
}

Tensor add(const Tensor& x, const Tensor& y) {
  Tensor out = torch::stable::empty_like(x);
  fill(x, y, out);
  return out;
}

Tensor add_(Tensor x, const Tensor& y) {
  fill(x, y, x);
  return x;
}

Tensor add_out(const Tensor& x, const Tensor& y, Tensor out) {
  fill(x, y, out);
  return out;
}

void accumulate(Tensor x, const Tensor& y) {
  fill(x, y, x);
}

STABLE_TORCH_LIBRARY_FRAGMENT(by_hand, m) {
  m.def("add(Tensor x, Tensor y) -> Tensor");
  m.def("recorded(Tensor x, Tensor y) -> Tensor");
  m.def("add_(Tensor(a!) x, Tensor y) -> Tensor(a!)");
  m.def("add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("accumulate(Tensor(a!) x, Tensor y) -> ()");
}

STABLE_TORCH_LIBRARY_IMPL(by_hand, CPU, m) {
  m.impl("add", TORCH_BOX(&add));
  m.impl("recorded", TORCH_BOX(&add));
  m.impl("add_", TORCH_BOX(&add_));
  m.impl("add.out", TORCH_BOX(&add_out));
  m.impl("accumulate", TORCH_BOX(&accumulate));
}

}  // namespace
