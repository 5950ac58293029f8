// cpp_classic::counted
//
// Schema:
//   counted(str[] words) -> Dict(str, int)
//
// Kernel (kernels/composite/counted.cpp):
//   Dict<std::string, int64_t> cpp_classic::composite::counted(const std::vector<std::string>& words)
#pragma once

#include <cpp_classic_ops/support.h>
