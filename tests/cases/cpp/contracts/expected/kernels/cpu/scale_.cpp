// The CPU kernel of cpp_contracts::scale_. opgen wrote this file once; from now on it is yours.
#include <cpp_contracts/ops/scale_.h>

namespace cpp_contracts::cpu {

void scale_(Tensor& x, double factor) {
  [[maybe_unused]] const auto shape = x.sizes();

  dispatch<dtypes::scale_::x>(x, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("cpp_contracts::scale_", "kernels/cpu/scale_.cpp", x, factor);
  });
}

}  // namespace cpp_contracts::cpu
