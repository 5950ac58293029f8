// cpp_types::namespace
//
// Schema:
//   namespace(Tensor union, Tensor dispatch, int double, int long=1) -> Tensor
//
// Kernel (kernels/cpu/namespace.cpp):
//   void cpp_types::cpu::namespace_(const Tensor& union_, const Tensor& dispatch_, int64_t double_, int64_t long_,
//                                   Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   union     float32 [auto]
//   dispatch  float32|float64 [auto]
//   return    float32 [auto]
#pragma once

#include <cpp_types_ops/support.h>

namespace cpp_types::dtypes::namespace_ {

using union_ = Dtypes<float>;
using dispatch_ = Dtypes<float, double>;

}  // namespace cpp_types::dtypes::namespace_
