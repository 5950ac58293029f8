// cpp_classic::echo
//
// Schema:
//   echo(bool[] flags, Scalar scalar, complex z, (int, str) pair) -> (bool[], Scalar, complex, (int, str))
//
// Kernel (kernels/composite/echo.cpp):
//   std::tuple<std::vector<bool>, Scalar, complex<double>, std::tuple<int64_t, std::string>>
//   cpp_classic::composite::echo(const std::vector<bool>& flags, const Scalar& scalar, complex<double> z,
//                                const std::tuple<int64_t, std::string>& pair)
#pragma once

#include <cpp_classic_ops/support.h>
