// cpp_contracts::positive
//
// Schema:
//   positive(Tensor x) -> (Tensor places, Tensor total)
//
// Kernel (kernels/cpu/positive.cpp):
//   Tensor cpp_contracts::cpu::positive(const Tensor& x, Tensor& total)
//
// Contract, which holds whenever the kernel is called:
//   x       float32 [n]
//   places  int64 [?kept<=n]
//   total   float32 []
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::positive {

using x = Dtypes<float>;

}  // namespace cpp_contracts::dtypes::positive
