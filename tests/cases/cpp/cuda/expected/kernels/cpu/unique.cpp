// The CPU kernel of acme::unique. opgen wrote this file once; from now on it is yours.
#include <acme/cuda_ops/unique.h>

using namespace ::acme;

std::tuple<Tensor, Tensor> unique(const Tensor& x) {
  [[maybe_unused]] const int64_t n = x.size(0);

  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("acme::unique", "kernels/cpu/unique.cpp", x);
}
