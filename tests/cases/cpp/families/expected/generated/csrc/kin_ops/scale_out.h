// kin::scale.out
//
// Schema:
//   scale.out(Tensor x, float by=2.0, *, Tensor(a!) out) -> Tensor(a!)
//
// Derived, and served by the same kernels:
//   scale(Tensor x, float by=2.0) -> Tensor
//   scale_(Tensor(a!) x, float by=2.0) -> Tensor(a!)
//
// Kernel (kernels/cpu/scale_out.cpp):
//   void kin::cpu::scale_out(const Tensor& x, double by, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x    float32|float64 [n, m]
//   out  x.dtype [n, m] contiguous
#pragma once

#include <kin_ops/support.h>

namespace kin::dtypes::scale_out {

using x = Dtypes<float, double>;

}  // namespace kin::dtypes::scale_out
