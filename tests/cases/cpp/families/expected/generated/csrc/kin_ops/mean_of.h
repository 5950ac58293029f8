// kin::mean_of
//
// Schema:
//   mean_of(Tensor[] xs, Tensor? weight=None) -> Tensor
//
// Derived, and served by the same kernels:
//   mean_of.out(Tensor[] xs, Tensor? weight=None, *, Tensor(a!) out) -> Tensor(a!)
//
// Kernel (kernels/cpu/mean_of.cpp):
//   void kin::cpu::mean_of(const std::vector<Tensor>& xs, const std::optional<Tensor>& weight, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   xs      float32|float64 [n]
//   weight  xs.dtype [n]
//   return  xs.dtype [n]
//   len(xs) > 0
#pragma once

#include <kin_ops/support.h>

namespace kin::dtypes::mean_of {

using xs = Dtypes<float, double>;

}  // namespace kin::dtypes::mean_of
