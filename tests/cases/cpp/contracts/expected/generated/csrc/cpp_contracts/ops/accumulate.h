// cpp_contracts::accumulate
//
// Schema:
//   accumulate(Tensor(a!) total, Tensor(b!)? count, Tensor x, *, Tensor[] more) -> ()
//
// Kernel (kernels/cpu/accumulate.cpp):
//   void cpp_contracts::cpu::accumulate(Tensor& total, std::optional<Tensor>& count, const Tensor& x,
//                                       const std::vector<Tensor>& more)
//
// Contract, which holds whenever the kernel is called:
//   total  float32 [n]
//   count  int64 [n]
//   x      float32 [n]
//   more   float32 [n]
//   n > 0
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::accumulate {

using total = Dtypes<float>;
using count = Dtypes<int64_t>;
using x = Dtypes<float>;
using more = Dtypes<float>;

}  // namespace cpp_contracts::dtypes::accumulate
