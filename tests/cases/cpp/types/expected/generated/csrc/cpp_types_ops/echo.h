// cpp_types::echo
//
// Schema:
//   echo(int n, float x, bool flag, str text, int[] dims, str[] words, ScalarType dtype, int? k=None) -> (int, float, bool, str, int[], str[], ScalarType, int?)
//
// Kernel (kernels/composite/echo.cpp):
//   std::tuple<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<std::string>, ScalarType,
//              std::optional<int64_t>>
//   cpp_types::composite::echo(int64_t n, double x, bool flag, const std::string& text,
//                              const std::vector<int64_t>& dims, const std::vector<std::string>& words,
//                              ScalarType dtype, std::optional<int64_t> k)
#pragma once

#include <cpp_types_ops/support.h>
