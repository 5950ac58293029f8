// The CPU kernel of cpp_classic::axpby. opgen wrote this file once; from now on it is yours.
#include <cpp_classic_ops/axpby.h>

namespace cpp_classic::cpu {

void axpby(const Tensor& x, const Tensor& y, const Scalar& alpha, const std::optional<Scalar>& beta,
           Tensor& out) {
  [[maybe_unused]] const int64_t n = x.size(0);

  dispatch<dtypes::axpby::x>(x, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("cpp_classic::axpby", "kernels/cpu/axpby.cpp", x, y, alpha, beta, out);
  });
}

}  // namespace cpp_classic::cpu
