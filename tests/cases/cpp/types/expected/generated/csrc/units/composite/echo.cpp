// cpp_types::echo for the dispatch key CompositeExplicitAutograd.
//
//   echo(int n, float x, bool flag, str text, int[] dims, str[] words, ScalarType dtype, int? k=None) -> (int, float, bool, str, int[], str[], ScalarType, int?)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/composite/echo.cpp"

#include <cpp_types_ops/unit.h>

namespace cpp_types::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_types::echo: the kernel must be std::tuple<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<std::string>, ScalarType, std::optional<int64_t>>(int64_t n, double x, bool flag, const std::string& text, const std::vector<int64_t>& dims, const std::vector<std::string>& words, ScalarType dtype, std::optional<int64_t> k)");
};

template <class Result, class P0, class P1, class P2, class P3, class P4, class P5, class P6, class P7>
struct Kernel<signature::Of<Result, P0, P1, P2, P3, P4, P5, P6, P7>> {
  static_assert(std::is_same_v<Result, std::tuple<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<std::string>, ScalarType, std::optional<int64_t>>>,
                "cpp_types::echo: the kernel must return std::tuple<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<std::string>, ScalarType, std::optional<int64_t>>");
  static_assert(std::is_same_v<P0, int64_t>,
                "cpp_types::echo: argument 'n' is int in the schema, so the kernel must take int64_t");
  static_assert(std::is_same_v<P1, double>,
                "cpp_types::echo: argument 'x' is float in the schema, so the kernel must take double");
  static_assert(std::is_same_v<P2, bool>,
                "cpp_types::echo: argument 'flag' is bool in the schema, so the kernel must take bool");
  static_assert(std::is_same_v<P3, const std::string&>,
                "cpp_types::echo: argument 'text' is str in the schema, so the kernel must take const std::string&");
  static_assert(std::is_same_v<P4, const std::vector<int64_t>&>,
                "cpp_types::echo: argument 'dims' is int[] in the schema, so the kernel must take const std::vector<int64_t>&");
  static_assert(std::is_same_v<P5, const std::vector<std::string>&>,
                "cpp_types::echo: argument 'words' is str[] in the schema, so the kernel must take const std::vector<std::string>&");
  static_assert(std::is_same_v<P6, ScalarType>,
                "cpp_types::echo: argument 'dtype' is ScalarType in the schema, so the kernel must take ScalarType");
  static_assert(std::is_same_v<P7, std::optional<int64_t>>,
                "cpp_types::echo: argument 'k' is int? in the schema, so the kernel must take std::optional<int64_t>");
};

template struct Kernel<decltype(signature::of(&::cpp_types::composite::echo))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CompositeExplicitAutograd kernel of cpp_types::echo(int n, float x, bool flag, str text, int[] dims, str[] words, ScalarType dtype, int? k=None) -> (int, float, bool, str, int[], str[], ScalarType, int?)\000";

std::tuple<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<std::string>, ScalarType,
           std::optional<int64_t>>
call(int64_t n, double x, bool flag, const std::string& text, const std::vector<int64_t>& dims,
     const std::vector<std::string>& words, ScalarType dtype, std::optional<int64_t> k) {
  return ::cpp_types::composite::echo(n, x, flag, text, dims, words, dtype, k);
}

STABLE_TORCH_LIBRARY_IMPL(cpp_types, CompositeExplicitAutograd, m) {
  records::keep(kRecords);
  m.impl("echo", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_types::generated
