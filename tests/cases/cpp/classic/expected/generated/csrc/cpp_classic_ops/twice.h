// cpp_classic::twice
//
// Schema:
//   twice(Tensor x) -> Tensor
//
// Kernel (kernels/cpu/twice.cpp):
//   void cpp_classic::cpu::twice(const Tensor& x, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float32 [n]
//   return  float32 [n]
#pragma once

#include <cpp_classic_ops/support.h>

namespace cpp_classic::dtypes::twice {

using x = Dtypes<float>;

}  // namespace cpp_classic::dtypes::twice
