// The CPU kernel of kin::scale.out. opgen wrote this file once; from now on it is yours.
#include <kin_ops/scale_out.h>

namespace kin::cpu {

void scale_out(const Tensor& x, double by, Tensor& out) {
  [[maybe_unused]] const int64_t n = x.size(0);
  [[maybe_unused]] const int64_t m = x.size(1);

  dispatch<dtypes::scale_out::x>(x, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("kin::scale.out", "kernels/cpu/scale_out.cpp", x, by, out);
  });
}

}  // namespace kin::cpu
