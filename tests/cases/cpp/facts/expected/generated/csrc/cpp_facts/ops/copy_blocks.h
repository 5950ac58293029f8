// cpp_facts::copy_blocks
//
// Schema:
//   copy_blocks(Tensor(a!)[] keys, Tensor(b!)[] values, Tensor pairs) -> ()
//
// Kernel (kernels/cpu/copy_blocks.cpp):
//   void cpp_facts::cpu::copy_blocks(std::vector<Tensor>& keys, std::vector<Tensor>& values, const Tensor& pairs)
//
// Contract, which holds whenever the kernel is called:
//   keys    any [blocks, *rest]
//   values  keys.dtype [blocks, *rest]
//   pairs   int64 [_, 2] in range(0, blocks)
//   len(keys) == len(values)
//   len(keys) > 0
#pragma once

#include <cpp_facts/ops/support.h>

namespace cpp_facts::dtypes::copy_blocks {

using pairs = Dtypes<int64_t>;

}  // namespace cpp_facts::dtypes::copy_blocks
