// The CPU kernel of cpp_facts::gather. opgen wrote this file once; from now on it is yours.
#include <cpp_facts/ops/gather.h>

namespace cpp_facts::cpu {

void gather(const Tensor& rows, const Tensor& index, const std::optional<Tensor>& order, Tensor& out) {
  [[maybe_unused]] const int64_t n = rows.size(0);
  [[maybe_unused]] const int64_t d = rows.size(1);
  [[maybe_unused]] const auto batch = index.sizes();

  dispatch<dtypes::gather::index>(index, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("cpp_facts::gather", "kernels/cpu/gather.cpp", rows, index, order, out);
  });
}

}  // namespace cpp_facts::cpu
