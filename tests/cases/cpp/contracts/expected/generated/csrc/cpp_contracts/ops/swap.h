// cpp_contracts::swap
//
// Schema:
//   swap(Tensor(a!) x, Tensor(b!) y) -> Tensor
//
// Kernel (kernels/cpu/swap.cpp):
//   void cpp_contracts::cpu::swap(Tensor& x, Tensor& y, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float32 [n]
//   y       float32 [n]
//   return  float32 [n]
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::swap {

using x = Dtypes<float>;
using y = Dtypes<float>;

}  // namespace cpp_contracts::dtypes::swap
