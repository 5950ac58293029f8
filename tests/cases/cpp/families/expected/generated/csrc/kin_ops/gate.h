// kin::gate
//
// Schema:
//   gate(Tensor(a!) out, Tensor x, Tensor(b!) work) -> ()
//
// Derived, and served by the same kernels:
//   gate.functional(Tensor x) -> Tensor
//   gate.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
//
// Kernel (kernels/cpu/gate.cpp):
//   void kin::cpu::gate(Tensor& out, const Tensor& x, Tensor& work)
//
// Contract, which holds whenever the kernel is called:
//   x     float32|float64 [*batch, 2*d]
//   out   x.dtype [*batch, d] contiguous
//   work  x.dtype [max(d, 1)] contiguous
#pragma once

#include <kin_ops/support.h>

namespace kin::dtypes::gate {

using x = Dtypes<float, double>;

}  // namespace kin::dtypes::gate
