// cpp_facts::bag
//
// Schema:
//   bag(Tensor[] weights, Tensor starts, Tensor total) -> Tensor
//
// Kernel (kernels/cpu/bag.cpp):
//   void cpp_facts::cpu::bag(const std::vector<Tensor>& weights, const Tensor& starts, const Tensor& total,
//                            Tensor& out)
//
// Contract, which holds whenever the kernel is called:
//   weights  float32 [n] in range(-1, 2)
//   starts   int32 [bags + 1] offsets(2*n)
//   total    uint8 [] in range(0, bags)
//   return   float32 [bags]
#pragma once

#include <cpp_facts/ops/support.h>

namespace cpp_facts::dtypes::bag {

using weights = Dtypes<float>;
using starts = Dtypes<int32_t>;
using total = Dtypes<uint8_t>;

}  // namespace cpp_facts::dtypes::bag
