// cpp_classic::describe for the dispatch key CPU.
//
//   describe(Tensor?[] maybe, bool[] flags, complex z, complex? w, Scalar[] scalars, (int, str) pair, Dict(str, int) counts, Stream? stream, Storage? storage, SymInt[2] sizes, Generator? generator) -> str
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#define CPP_CLASSIC_OPS_ABI_CLASSIC
#include "kernels/cpu/describe.cpp"

#include <cpp_classic_ops/unit.h>

namespace cpp_classic::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_classic::describe: the kernel must be std::string(const std::vector<std::optional<Tensor>>& maybe, const std::vector<bool>& flags, complex<double> z, std::optional<complex<double>> w, const std::vector<Scalar>& scalars, const std::tuple<int64_t, std::string>& pair, const Dict<std::string, int64_t>& counts, std::optional<Stream> stream, const std::optional<Storage>& storage, const std::vector<int64_t>& sizes, const std::optional<Generator>& generator)");
};

template <class Result, class P0, class P1, class P2, class P3, class P4, class P5, class P6, class P7,
          class P8, class P9, class P10>
struct Kernel<signature::Of<Result, P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10>> {
  static_assert(std::is_same_v<Result, std::string>, "cpp_classic::describe: the kernel must return std::string");
  static_assert(std::is_same_v<P0, const std::vector<std::optional<Tensor>>&>,
                "cpp_classic::describe: argument 'maybe' is Tensor?[] in the schema, so the kernel must take const std::vector<std::optional<Tensor>>&");
  static_assert(std::is_same_v<P1, const std::vector<bool>&>,
                "cpp_classic::describe: argument 'flags' is bool[] in the schema, so the kernel must take const std::vector<bool>&");
  static_assert(std::is_same_v<P2, complex<double>>,
                "cpp_classic::describe: argument 'z' is complex in the schema, so the kernel must take complex<double>");
  static_assert(std::is_same_v<P3, std::optional<complex<double>>>,
                "cpp_classic::describe: argument 'w' is complex? in the schema, so the kernel must take std::optional<complex<double>>");
  static_assert(std::is_same_v<P4, const std::vector<Scalar>&>,
                "cpp_classic::describe: argument 'scalars' is Scalar[] in the schema, so the kernel must take const std::vector<Scalar>&");
  static_assert(std::is_same_v<P5, const std::tuple<int64_t, std::string>&>,
                "cpp_classic::describe: argument 'pair' is (int, str) in the schema, so the kernel must take const std::tuple<int64_t, std::string>&");
  static_assert(std::is_same_v<P6, const Dict<std::string, int64_t>&>,
                "cpp_classic::describe: argument 'counts' is Dict(str, int) in the schema, so the kernel must take const Dict<std::string, int64_t>&");
  static_assert(std::is_same_v<P7, std::optional<Stream>>,
                "cpp_classic::describe: argument 'stream' is Stream? in the schema, so the kernel must take std::optional<Stream>");
  static_assert(std::is_same_v<P8, const std::optional<Storage>&>,
                "cpp_classic::describe: argument 'storage' is Storage? in the schema, so the kernel must take const std::optional<Storage>&");
  static_assert(std::is_same_v<P9, const std::vector<int64_t>&>,
                "cpp_classic::describe: argument 'sizes' is SymInt[2] in the schema, so the kernel must take const std::vector<int64_t>&");
  static_assert(std::is_same_v<P10, const std::optional<Generator>&>,
                "cpp_classic::describe: argument 'generator' is Generator? in the schema, so the kernel must take const std::optional<Generator>&");
};

template struct Kernel<decltype(signature::of(&::cpp_classic::cpu::describe))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_classic::describe(Tensor?[] maybe, bool[] flags, complex z, complex? w, Scalar[] scalars, (int, str) pair, Dict(str, int) counts, Stream? stream, Storage? storage, SymInt[2] sizes, Generator? generator) -> str\000";

std::string call(const std::vector<std::optional<Tensor>>& maybe, const std::vector<bool>& flags,
                 complex<double> z, std::optional<complex<double>> w, const std::vector<Scalar>& scalars,
                 const std::tuple<int64_t, std::string>& pair, const Dict<std::string, int64_t>& counts,
                 std::optional<Stream> stream, const std::optional<Storage>& storage,
                 const std::vector<int64_t>& sizes, const std::optional<Generator>& generator) {
  return ::cpp_classic::cpu::describe(maybe, flags, z, w, scalars, pair, counts, stream, storage, sizes,
                                      generator);
}

TORCH_LIBRARY_IMPL(cpp_classic, CPU, m) {
  records::keep(kRecords);
  m.impl("describe", abi::boxed<&call>());
}

}  // namespace
}  // namespace cpp_classic::generated
