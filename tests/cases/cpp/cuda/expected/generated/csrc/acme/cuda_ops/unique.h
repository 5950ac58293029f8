// acme::unique
//
// Schema:
//   unique(Tensor x) -> (Tensor values, Tensor counts)
//
// Kernel (kernels/cpu/unique.cpp):
//   std::tuple<Tensor, Tensor> unique(const Tensor& x)
//
// Contract, which holds whenever the kernel is called:
//   x       int64 [n]
//   values  int64 [?found <= n]
//   counts  int64 [?found]
#pragma once

#include <acme/cuda_ops/support.h>

namespace acme::dtypes::unique {

using x = Dtypes<int64_t>;

}  // namespace acme::dtypes::unique
