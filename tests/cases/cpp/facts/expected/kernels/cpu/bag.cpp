// The CPU kernel of cpp_facts::bag. opgen wrote this file once; from now on it is yours.
#include <cpp_facts/ops/bag.h>

namespace cpp_facts::cpu {

void bag(const std::vector<Tensor>& weights, const Tensor& starts, const Tensor& total, Tensor& out) {
  [[maybe_unused]] const int64_t bags = (starts.size(0) - 1);

  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("cpp_facts::bag", "kernels/cpu/bag.cpp", weights, starts, total, out);
}

}  // namespace cpp_facts::cpu
