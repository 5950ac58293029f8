// cpp_classic::axpby
//
// Add, each operand scaled.
//
// Schema:
//   axpby(Tensor x, Tensor y, Scalar alpha=1, Scalar? beta=None) -> Tensor
//
// Kernel (kernels/cpu/axpby.cpp):
//   void cpp_classic::cpu::axpby(const Tensor& x, const Tensor& y, const Scalar& alpha,
//                                const std::optional<Scalar>& beta, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float32|complex64|int64 [n]
//   y       x.dtype [n]
//   return  promote(x, y, alpha) [n]
//   alpha != 0
#pragma once

#include <cpp_classic_ops/support.h>

namespace cpp_classic::dtypes::axpby {

using x = Dtypes<int64_t, float, complex<float>>;

}  // namespace cpp_classic::dtypes::axpby
