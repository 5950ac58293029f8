// cpp_contracts::halve_into
//
// Schema:
//   halve_into(Tensor(a!) out, Tensor x) -> ()
//
// Kernel (kernels/cpu/halve_into.cpp):
//   void cpp_contracts::cpu::halve_into(Tensor& out, const Tensor& x)
//
// Contract, which holds whenever the kernel is called:
//   x    float32|float64 [2*n]
//   out  x.dtype [n]
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::halve_into {

using x = Dtypes<float, double>;

}  // namespace cpp_contracts::dtypes::halve_into
