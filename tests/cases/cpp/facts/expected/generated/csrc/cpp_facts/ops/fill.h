// cpp_facts::fill
//
// Schema:
//   fill(Tensor(a!) ids, Tensor x) -> ()
//
// Kernel (kernels/cpu/fill.cpp):
//   void cpp_facts::cpu::fill(Tensor& ids, const Tensor& x)
//
// Contract, which holds whenever the kernel is called:
//   ids  int64 [n] in range(0, n)
//   x    float32 [n]
#pragma once

#include <cpp_facts/ops/support.h>

namespace cpp_facts::dtypes::fill {

using ids = Dtypes<int64_t>;
using x = Dtypes<float>;

}  // namespace cpp_facts::dtypes::fill
