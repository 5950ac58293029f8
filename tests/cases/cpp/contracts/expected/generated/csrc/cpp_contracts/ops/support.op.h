// cpp_contracts::support
//
// Schema:
//   support(Tensor x) -> Tensor
//
// Kernel (kernels/cpu/support.cpp):
//   void cpp_contracts::cpu::support(const Tensor& x, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float32 [n]
//   return  float32 [n]
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::support {

using x = Dtypes<float>;

}  // namespace cpp_contracts::dtypes::support
