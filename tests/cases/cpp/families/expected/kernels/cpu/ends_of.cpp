// The CPU kernel of kin::ends.of. opgen wrote this file once; from now on it is yours.
#include <kin_ops/ends_of.h>

namespace kin::cpu {

void ends_of(const Tensor& x, int64_t count, Tensor& first, Tensor& last) {
  [[maybe_unused]] const int64_t n = x.size(0);

  dispatch<dtypes::ends_of::x>(x, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("kin::ends.of", "kernels/cpu/ends_of.cpp", x, count, first, last);
  });
}

}  // namespace kin::cpu
