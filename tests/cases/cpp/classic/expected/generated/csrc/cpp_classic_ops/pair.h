// cpp_classic::pair
//
// Schema:
//   pair(int n) -> ((int, int))
//
// Kernel (kernels/composite/pair.cpp):
//   std::tuple<std::tuple<int64_t, int64_t>> cpp_classic::composite::pair(int64_t n)
#pragma once

#include <cpp_classic_ops/support.h>
