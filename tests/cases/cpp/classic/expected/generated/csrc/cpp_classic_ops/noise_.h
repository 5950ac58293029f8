// cpp_classic::noise_
//
// Schema:
//   noise_(Tensor(a!) x, *, Generator? generator=None) -> Tensor(a!)
//
// Kernel (kernels/cpu/noise_.cpp):
//   void cpp_classic::cpu::noise_(Tensor& x, const std::optional<Generator>& generator)
//
// Contract, which holds whenever the kernel is called:
//   x  float32 [n]
#pragma once

#include <cpp_classic_ops/support.h>

namespace cpp_classic::dtypes::noise_ {

using x = Dtypes<float>;

}  // namespace cpp_classic::dtypes::noise_
