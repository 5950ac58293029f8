// kin::ends.of
//
// Schema:
//   ends.of(Tensor x, *, SymInt count=1) -> (Tensor first, Tensor last)
//
// Derived, and served by the same kernels:
//   ends.of_out(Tensor x, *, SymInt count=1, Tensor(a!) first, Tensor(b!) last) -> (Tensor(a!), Tensor(b!))
//
// Kernel (kernels/cpu/ends_of.cpp):
//   void kin::cpu::ends_of(const Tensor& x, int64_t count, Tensor& first, Tensor& last)
//
// Contract, which holds whenever the kernel is called:
//   x      float32|float64 [n]
//   first  x.dtype [count]
//   last   x.dtype [count]
//   0 < count <= n
#pragma once

#include <kin_ops/support.h>

namespace kin::dtypes::ends_of {

using x = Dtypes<float, double>;

}  // namespace kin::dtypes::ends_of
