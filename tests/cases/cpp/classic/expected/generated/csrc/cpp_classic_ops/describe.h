// cpp_classic::describe
//
// Schema:
//   describe(Tensor?[] maybe, bool[] flags, complex z, complex? w, Scalar[] scalars, (int, str) pair, Dict(str, int) counts, Stream? stream, Storage? storage, SymInt[2] sizes, Generator? generator) -> str
//
// Kernel (kernels/cpu/describe.cpp):
//   std::string cpp_classic::cpu::describe(const std::vector<std::optional<Tensor>>& maybe,
//                                          const std::vector<bool>& flags, complex<double> z,
//                                          std::optional<complex<double>> w, const std::vector<Scalar>& scalars,
//                                          const std::tuple<int64_t, std::string>& pair,
//                                          const Dict<std::string, int64_t>& counts, std::optional<Stream> stream,
//                                          const std::optional<Storage>& storage, const std::vector<int64_t>& sizes,
//                                          const std::optional<Generator>& generator)
#pragma once

#include <cpp_classic_ops/support.h>
