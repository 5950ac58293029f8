// The CPU kernel of cpp_classic::describe. opgen wrote this file once; from now on it is yours.
#include <cpp_classic_ops/describe.h>

namespace cpp_classic::cpu {

std::string describe(const std::vector<std::optional<Tensor>>& maybe, const std::vector<bool>& flags,
                     complex<double> z, std::optional<complex<double>> w, const std::vector<Scalar>& scalars,
                     const std::tuple<int64_t, std::string>& pair, const Dict<std::string, int64_t>& counts,
                     std::optional<Stream> stream, const std::optional<Storage>& storage,
                     const std::vector<int64_t>& sizes, const std::optional<Generator>& generator) {
  // The maths goes here. Rows<const T>(x) reads a tensor of any strides row by row, Rows<T>(out) writes one;
  // x.const_data_ptr<T>() and out.mutable_data_ptr<T>() are the plain pointers; parallel_for uses PyTorch's threads.
  kernel_not_written("cpp_classic::describe", "kernels/cpu/describe.cpp", maybe, flags, z, w, scalars, pair,
                     counts, stream, storage, sizes, generator);
}

}  // namespace cpp_classic::cpu
