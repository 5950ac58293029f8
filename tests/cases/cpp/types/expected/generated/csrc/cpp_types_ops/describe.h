// cpp_types::describe
//
// Schema:
//   describe(Tensor x, Tensor? bias, Tensor[] xs, Tensor?[] maybe, int[] dims, SymInt[2] pad, float[] weights, bool[] masks, str[] words, int n, SymInt size, float scale, bool flag, str mode="sum", ScalarType? dtype=None, Device? device=None, Layout? layout=None, MemoryFormat? memory_format=None, int? k=None, float? eps=None, bool? causal=None, str? name=None, int[]? shape=None, Tensor[]? rest=None) -> str
//
// Kernel (kernels/cpu/describe.cpp):
//   std::string cpp_types::cpu::describe(const Tensor& x, const std::optional<Tensor>& bias,
//                                        const std::vector<Tensor>& xs,
//                                        const std::vector<std::optional<Tensor>>& maybe,
//                                        const std::vector<int64_t>& dims, const std::vector<int64_t>& pad,
//                                        const std::vector<double>& weights, const std::vector<bool>& masks,
//                                        const std::vector<std::string>& words, int64_t n, int64_t size,
//                                        double scale, bool flag, const std::string& mode,
//                                        std::optional<ScalarType> dtype, std::optional<Device> device,
//                                        std::optional<Layout> layout, std::optional<MemoryFormat> memory_format,
//                                        std::optional<int64_t> k, std::optional<double> eps,
//                                        std::optional<bool> causal, const std::optional<std::string>& name,
//                                        const std::optional<std::vector<int64_t>>& shape,
//                                        const std::optional<std::vector<Tensor>>& rest)
//
// Contract, which holds whenever the kernel is called:
//   x  int64|float8_e4m3fn|complex64|bool|uint16 [*shape_of_x]
#pragma once

#include <cpp_types_ops/support.h>

namespace cpp_types::dtypes::describe {

using x = Dtypes<bool, uint16_t, int64_t, Float8_e4m3fn, complex<float>>;

}  // namespace cpp_types::dtypes::describe
