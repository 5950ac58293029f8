// cpp_contracts::add.out
//
// Schema:
//   add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)
//
// Kernel (kernels/cpu/add_out.cpp):
//   void cpp_contracts::cpu::add_out(const Tensor& x, const Tensor& y, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x    float32 [n]
//   y    float32 [n]
//   out  float32 [n]
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::add_out {

using x = Dtypes<float>;
using y = Dtypes<float>;
using out = Dtypes<float>;

}  // namespace cpp_contracts::dtypes::add_out
