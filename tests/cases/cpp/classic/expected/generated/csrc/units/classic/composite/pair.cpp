// cpp_classic::pair for the dispatch key CompositeExplicitAutograd.
//
//   pair(int n) -> ((int, int))
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#define CPP_CLASSIC_OPS_ABI_CLASSIC
#include "kernels/composite/pair.cpp"

#include <cpp_classic_ops/unit.h>

namespace cpp_classic::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_classic::pair: the kernel must be std::tuple<std::tuple<int64_t, int64_t>>(int64_t n)");
};

template <class Result, class P0>
struct Kernel<signature::Of<Result, P0>> {
  static_assert(std::is_same_v<Result, std::tuple<std::tuple<int64_t, int64_t>>>,
                "cpp_classic::pair: the kernel must return std::tuple<std::tuple<int64_t, int64_t>>");
  static_assert(std::is_same_v<P0, int64_t>,
                "cpp_classic::pair: argument 'n' is int in the schema, so the kernel must take int64_t");
};

template struct Kernel<decltype(signature::of(&::cpp_classic::composite::pair))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CompositeExplicitAutograd kernel of cpp_classic::pair(int n) -> ((int, int))\000";

std::tuple<std::tuple<int64_t, int64_t>> call(int64_t n) {
  return ::cpp_classic::composite::pair(n);
}

TORCH_LIBRARY_IMPL(cpp_classic, CompositeExplicitAutograd, m) {
  records::keep(kRecords);
  m.impl("pair", abi::boxed<&call>());
}

}  // namespace
}  // namespace cpp_classic::generated
