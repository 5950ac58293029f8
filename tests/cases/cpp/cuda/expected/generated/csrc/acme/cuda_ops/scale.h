// acme::scale
//
// Schema:
//   scale(Tensor x, float by) -> Tensor
//
// Kernel (kernels/cpu/scale.cpp):
//   void acme::cpu::scale(const Tensor& x, double by, Tensor& out)
//
// Kernel (kernels/cuda/scale.cu):
//   void acme::cuda::scale(const Tensor& x, double by, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float [*batch, n]
//   return  x.dtype [*batch, n]
#pragma once

#include <acme/cuda_ops/support.h>

namespace acme::dtypes::scale {

using x = Dtypes<Half, BFloat16, float, double>;

}  // namespace acme::dtypes::scale
