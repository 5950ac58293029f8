// The CPU kernel of cpp_types::describe. opgen wrote this file once; from now on it is yours.
#include <cpp_types_ops/describe.h>

namespace cpp_types::cpu {

std::string describe(const Tensor& x, const std::optional<Tensor>& bias, const std::vector<Tensor>& xs,
                     const std::vector<std::optional<Tensor>>& maybe, const std::vector<int64_t>& dims,
                     const std::vector<int64_t>& pad, const std::vector<double>& weights,
                     const std::vector<bool>& masks, const std::vector<std::string>& words, int64_t n,
                     int64_t size, double scale, bool flag, const std::string& mode,
                     std::optional<ScalarType> dtype, std::optional<Device> device,
                     std::optional<Layout> layout, std::optional<MemoryFormat> memory_format,
                     std::optional<int64_t> k, std::optional<double> eps, std::optional<bool> causal,
                     const std::optional<std::string>& name, const std::optional<std::vector<int64_t>>& shape,
                     const std::optional<std::vector<Tensor>>& rest) {
  [[maybe_unused]] const auto shape_of_x = x.sizes();

  return dispatch<dtypes::describe::x>(x, [&](auto dtype_) -> std::string {
    using scalar_t [[maybe_unused]] = typename decltype(dtype_)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("cpp_types::describe", "kernels/cpu/describe.cpp", x, bias, xs, maybe, dims, pad, weights,
                       masks, words, n, size, scale, flag, mode, dtype, device, layout, memory_format, k, eps,
                       causal, name, shape, rest);
  });
}

}  // namespace cpp_types::cpu
