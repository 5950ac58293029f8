// kin::norm
//
// Root-mean-square normalisation over the last dimension.
//
// Schema:
//   norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor
//
// Derived, and served by the same kernels:
//   norm.out(Tensor x, Tensor weight, float eps=1e-6, *, Tensor(a!) out) -> Tensor(a!)
//   norm_(Tensor(a!) x, Tensor weight, float eps=1e-6) -> Tensor(a!)
//
// Kernel (kernels/cpu/norm.cpp):
//   void kin::cpu::norm(const Tensor& x, const Tensor& weight, double eps, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float32|float64 [*batch, hidden]
//   weight  x.dtype [hidden]
//   return  x.dtype [*batch, hidden]
//   eps > 0
#pragma once

#include <kin_ops/support.h>

namespace kin::dtypes::norm {

using x = Dtypes<float, double>;

}  // namespace kin::dtypes::norm
