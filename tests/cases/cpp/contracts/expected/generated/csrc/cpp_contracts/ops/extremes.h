// cpp_contracts::extremes
//
// Schema:
//   extremes(Tensor x) -> (Tensor low, Tensor place)
//
// Kernel (kernels/cpu/extremes.cpp):
//   void cpp_contracts::cpu::extremes(const Tensor& x, Tensor& low, Tensor& place)
//
// Contract, which holds whenever the kernel is called:
//   x      float32|float64 [rows, n]
//   low    x.dtype [rows]
//   place  int64 [rows]
//   n > 0
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::extremes {

using x = Dtypes<float, double>;

}  // namespace cpp_contracts::dtypes::extremes
