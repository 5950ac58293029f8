// The CPU kernel of cpp_classic::twice. opgen wrote this file once; from now on it is yours.
#include <cpp_classic_ops/twice.h>

namespace cpp_classic::cpu {

void twice(const Tensor& x, Tensor& out) {
  [[maybe_unused]] const int64_t n = x.size(0);

  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("cpp_classic::twice", "kernels/cpu/twice.cpp", x, out);
}

}  // namespace cpp_classic::cpu
