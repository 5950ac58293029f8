// The same on the classic ABI.
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

namespace {

void fill(const at::Tensor& x, const at::Tensor& y, const at::Tensor& out) {
  TORCH_CHECK(x.scalar_type() == at::kFloat, "x must be float32");
  TORCH_CHECK(y.scalar_type() == x.scalar_type() && out.scalar_type() == x.scalar_type(), "one dtype is needed");
  TORCH_CHECK(y.sizes() == x.sizes() && out.sizes() == x.sizes(), "one shape is needed");
  TORCH_CHECK(x.is_contiguous() && y.is_contiguous() && out.is_contiguous(), "tensors must be contiguous");
  const float* a = x.const_data_ptr<float>();
  const float* b = y.const_data_ptr<float>();
  float* sum = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) sum[i] = a[i] + b[i];
}

at::Tensor add(const at::Tensor& x, const at::Tensor& y) {
  at::Tensor out = at::empty_like(x);
  fill(x, y, out);
  return out;
}

at::Tensor& add_(at::Tensor& x, const at::Tensor& y) {
  fill(x, y, x);
  return x;
}

at::Tensor& add_out(const at::Tensor& x, const at::Tensor& y, at::Tensor& out) {
  fill(x, y, out);
  return out;
}

void accumulate(at::Tensor& x, const at::Tensor& y) {
  fill(x, y, x);
}

TORCH_LIBRARY_FRAGMENT(by_hand, m) {
  m.def("add(Tensor x, Tensor y) -> Tensor");
  m.def("recorded(Tensor x, Tensor y) -> Tensor");
  m.def("add_(Tensor(a!) x, Tensor y) -> Tensor(a!)");
  m.def("add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("accumulate(Tensor(a!) x, Tensor y) -> ()");
}

TORCH_LIBRARY_IMPL(by_hand, CPU, m) {
  m.impl("add", &add);
  m.impl("recorded", &add);
  m.impl("add_", &add_);
  m.impl("add.out", &add_out);
  m.impl("accumulate", &accumulate);
}

}  // namespace
