// The CPU kernel of cpp_contracts::scale. opgen wrote this file once; from now on it is yours.
#include <cpp_contracts/ops/scale.h>

namespace cpp_contracts::cpu {

void scale(const Tensor& x, double factor, Tensor& out) {
  [[maybe_unused]] const auto shape = x.sizes();

  dispatch<dtypes::scale::x>(x, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("cpp_contracts::scale", "kernels/cpu/scale.cpp", x, factor, out);
  });
}

}  // namespace cpp_contracts::cpu
