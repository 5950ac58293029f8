// cpp_contracts::scale_
//
// Schema:
//   scale_(Tensor(a!) x, float factor=2.0) -> Tensor(a!)
//
// Kernel (kernels/cpu/scale_.cpp):
//   void cpp_contracts::cpu::scale_(Tensor& x, double factor)
//
// Contract, which holds whenever the kernel is called:
//   x  float [*shape]
#pragma once

#include <cpp_contracts/ops/support.h>

namespace cpp_contracts::dtypes::scale_ {

using x = Dtypes<Half, BFloat16, float, double>;

}  // namespace cpp_contracts::dtypes::scale_
