// The CPU kernel of kin::mean_of. opgen wrote this file once; from now on it is yours.
#include <kin_ops/mean_of.h>

namespace kin::cpu {

void mean_of(const std::vector<Tensor>& xs, const std::optional<Tensor>& weight, Tensor& out) {
  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("kin::mean_of", "kernels/cpu/mean_of.cpp", xs, weight, out);
}

}  // namespace kin::cpu
