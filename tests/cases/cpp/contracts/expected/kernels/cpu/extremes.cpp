// The CPU kernel of cpp_contracts::extremes. opgen wrote this file once; from now on it is yours.
#include <cpp_contracts/ops/extremes.h>

namespace cpp_contracts::cpu {

void extremes(const Tensor& x, Tensor& low, Tensor& place) {
  [[maybe_unused]] const int64_t rows = x.size(0);
  [[maybe_unused]] const int64_t n = x.size(1);

  dispatch<dtypes::extremes::x>(x, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("cpp_contracts::extremes", "kernels/cpu/extremes.cpp", x, low, place);
  });
}

}  // namespace cpp_contracts::cpu
