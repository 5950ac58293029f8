// acme::norm
//
// Schema:
//   norm(Tensor x) -> (Tensor out, Tensor square)
//
// Kernel (csrc/vendor.h):
//   std::tuple<Tensor, Tensor> vendor::norm(const Tensor& x)
//
// Contract, which holds whenever the kernel is called:
//   x       float32 [rows, n]
//   out     float32 [rows]
//   square  float32 [rows] strides[1]
#pragma once

#include <acme/cuda_ops/support.h>

namespace acme::dtypes::norm {

using x = Dtypes<float>;

}  // namespace acme::dtypes::norm
