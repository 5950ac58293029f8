// The CPU kernel of cpp_facts::negate. opgen wrote this file once; from now on it is yours.
#include <cpp_facts/ops/negate.h>

namespace cpp_facts::cpu {

void negate(const Tensor& x, Tensor& out) {
  [[maybe_unused]] const auto shape = x.sizes();

  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("cpp_facts::negate", "kernels/cpu/negate.cpp", x, out);
}

}  // namespace cpp_facts::cpu
