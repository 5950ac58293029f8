// The CPU kernel of cpp_types::namespace. opgen wrote this file once; from now on it is yours.
#include <cpp_types_ops/namespace.h>

namespace cpp_types::cpu {

void namespace_(const Tensor& union_, const Tensor& dispatch_, int64_t double_, int64_t long_, Tensor& out) {
  [[maybe_unused]] const int64_t auto_ = union_.size(0);

  dispatch<dtypes::namespace_::dispatch_>(dispatch_, [&](auto dtype) {
    using scalar_t [[maybe_unused]] = typename decltype(dtype)::type;
    // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
    // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
    kernel_not_written("cpp_types::namespace", "kernels/cpu/namespace.cpp", union_, dispatch_, double_, long_, out);
  });
}

}  // namespace cpp_types::cpu
