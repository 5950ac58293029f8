// The CPU kernel of kin::gate. opgen wrote this file once; from now on it is yours.
#include <kin_ops/gate.h>

namespace kin::cpu {

void gate(Tensor& out, const Tensor& x, Tensor& work) {
  [[maybe_unused]] const auto batch = x.sizes().slice(0, x.sizes().size() - 1);
  [[maybe_unused]] const int64_t d = x.size(-1) / 2;

  dispatch<dtypes::gate::x>(x, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("kin::gate", "kernels/cpu/gate.cpp", out, x, work);
  });
}

}  // namespace kin::cpu
