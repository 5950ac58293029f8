// cpp_classic::counted for the dispatch key CompositeExplicitAutograd.
//
//   counted(str[] words) -> Dict(str, int)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#define CPP_CLASSIC_OPS_ABI_CLASSIC
#include "kernels/composite/counted.cpp"

#include <cpp_classic_ops/unit.h>

namespace cpp_classic::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_classic::counted: the kernel must be Dict<std::string, int64_t>(const std::vector<std::string>& words)");
};

template <class Result, class P0>
struct Kernel<signature::Of<Result, P0>> {
  static_assert(std::is_same_v<Result, Dict<std::string, int64_t>>,
                "cpp_classic::counted: the kernel must return Dict<std::string, int64_t>");
  static_assert(std::is_same_v<P0, const std::vector<std::string>&>,
                "cpp_classic::counted: argument 'words' is str[] in the schema, so the kernel must take const std::vector<std::string>&");
};

template struct Kernel<decltype(signature::of(&::cpp_classic::composite::counted))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CompositeExplicitAutograd kernel of cpp_classic::counted(str[] words) -> Dict(str, int)\000";

Dict<std::string, int64_t> call(const std::vector<std::string>& words) {
  return ::cpp_classic::composite::counted(words);
}

TORCH_LIBRARY_IMPL(cpp_classic, CompositeExplicitAutograd, m) {
  records::keep(kRecords);
  m.impl("counted", abi::boxed<&call>());
}

}  // namespace
}  // namespace cpp_classic::generated
