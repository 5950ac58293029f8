// cpp_contracts::scale
//
// Multiply. A trigraph
//
// Schema:
//   scale(Tensor x, float factor=2.0) -> Tensor
//
// Kernel (kernels/cpu/scale.cpp):
//   void cpp_contracts::cpu::scale(const Tensor& x, double factor, Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   x       float [*shape]
//   return  x.dtype [*shape]
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::scale {

using x = Dtypes<Half, BFloat16, float, double>;

}  // namespace cpp_contracts::dtypes::scale
