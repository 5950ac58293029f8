// cpp_classic::echo for the dispatch key CompositeExplicitAutograd.
//
//   echo(bool[] flags, Scalar scalar, complex z, (int, str) pair) -> (bool[], Scalar, complex, (int, str))
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#define CPP_CLASSIC_OPS_ABI_CLASSIC
#include "kernels/composite/echo.cpp"

#include <cpp_classic_ops/unit.h>

namespace cpp_classic::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_classic::echo: the kernel must be std::tuple<std::vector<bool>, Scalar, complex<double>, std::tuple<int64_t, std::string>>(const std::vector<bool>& flags, const Scalar& scalar, complex<double> z, const std::tuple<int64_t, std::string>& pair)");
};

template <class Result, class P0, class P1, class P2, class P3>
struct Kernel<signature::Of<Result, P0, P1, P2, P3>> {
  static_assert(std::is_same_v<Result, std::tuple<std::vector<bool>, Scalar, complex<double>, std::tuple<int64_t, std::string>>>,
                "cpp_classic::echo: the kernel must return std::tuple<std::vector<bool>, Scalar, complex<double>, std::tuple<int64_t, std::string>>");
  static_assert(std::is_same_v<P0, const std::vector<bool>&>,
                "cpp_classic::echo: argument 'flags' is bool[] in the schema, so the kernel must take const std::vector<bool>&");
  static_assert(std::is_same_v<P1, const Scalar&>,
                "cpp_classic::echo: argument 'scalar' is Scalar in the schema, so the kernel must take const Scalar&");
  static_assert(std::is_same_v<P2, complex<double>>,
                "cpp_classic::echo: argument 'z' is complex in the schema, so the kernel must take complex<double>");
  static_assert(std::is_same_v<P3, const std::tuple<int64_t, std::string>&>,
                "cpp_classic::echo: argument 'pair' is (int, str) in the schema, so the kernel must take const std::tuple<int64_t, std::string>&");
};

template struct Kernel<decltype(signature::of(&::cpp_classic::composite::echo))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CompositeExplicitAutograd kernel of cpp_classic::echo(bool[] flags, Scalar scalar, complex z, (int, str) pair) -> (bool[], Scalar, complex, (int, str))\000";

std::tuple<std::vector<bool>, Scalar, complex<double>, std::tuple<int64_t, std::string>>
call(const std::vector<bool>& flags, const Scalar& scalar, complex<double> z,
     const std::tuple<int64_t, std::string>& pair) {
  return ::cpp_classic::composite::echo(flags, scalar, z, pair);
}

TORCH_LIBRARY_IMPL(cpp_classic, CompositeExplicitAutograd, m) {
  records::keep(kRecords);
  m.impl("echo", abi::boxed<&call>());
}

}  // namespace
}  // namespace cpp_classic::generated
