// cpp_facts::negate
//
// Schema:
//   negate(Tensor x) -> Tensor
//
// Kernel (kernels/cpu/negate.cpp):
//   void cpp_facts::cpu::negate(const Tensor& x, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float32 [*shape]
//   return  float32 [*shape] strides(x)
#pragma once

#include <cpp_facts/ops/support.h>

namespace cpp_facts::dtypes::negate {

using x = Dtypes<float>;

}  // namespace cpp_facts::dtypes::negate
