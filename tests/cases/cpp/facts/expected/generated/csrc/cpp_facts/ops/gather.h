// cpp_facts::gather
//
// Schema:
//   gather(Tensor rows, Tensor index, Tensor? order=None) -> Tensor
//
// Kernel (kernels/cpu/gather.cpp):
//   void cpp_facts::cpu::gather(const Tensor& rows, const Tensor& index, const std::optional<Tensor>& order,
//                               Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   rows    float32 [n, d]
//   index   int32|int64 [*batch] in range(0, n)
//   order   int64 [n] permutation
//   return  float32 [*batch, d]
#pragma once

#include <cpp_facts/ops/support.h>

namespace cpp_facts::dtypes::gather {

using rows = Dtypes<float>;
using index = Dtypes<int32_t, int64_t>;
using order = Dtypes<int64_t>;

}  // namespace cpp_facts::dtypes::gather
