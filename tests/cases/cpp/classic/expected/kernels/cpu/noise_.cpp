// The CPU kernel of cpp_classic::noise_. opgen wrote this file once; from now on it is yours.
#include <cpp_classic_ops/noise_.h>

namespace cpp_classic::cpu {

void noise_(Tensor& x, const std::optional<Generator>& generator) {
  [[maybe_unused]] const int64_t n = x.size(0);

  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("cpp_classic::noise_", "kernels/cpu/noise_.cpp", x, generator);
}

}  // namespace cpp_classic::cpu
