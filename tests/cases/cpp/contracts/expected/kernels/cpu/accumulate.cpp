// The CPU kernel of cpp_contracts::accumulate. opgen wrote this file once; from now on it is yours.
#include <cpp_contracts/ops/accumulate.h>

namespace cpp_contracts::cpu {

void accumulate(Tensor& total, std::optional<Tensor>& count, const Tensor& x, const std::vector<Tensor>& more) {
  [[maybe_unused]] const int64_t n = total.size(0);

  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("cpp_contracts::accumulate", "kernels/cpu/accumulate.cpp", total, count, x, more);
}

}  // namespace cpp_contracts::cpu
