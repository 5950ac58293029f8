// acme::accumulate_
//
// Schema:
//   accumulate_(Tensor(a!) x, Tensor[] device_guard) -> Tensor(a!)
//
// Kernel (kernels/cuda/accumulate_.cu):
//   void acme::cuda::accumulate_(Tensor& x, const std::vector<Tensor>& device_guard)
//
// Contract, which holds whenever the kernel is called:
//   x             float32 [n]
//   device_guard  float32 [n]
#pragma once

#include <acme/cuda_ops/support.h>

namespace acme::dtypes::accumulate_ {

using x = Dtypes<float>;
using device_guard = Dtypes<float>;

}  // namespace acme::dtypes::accumulate_
