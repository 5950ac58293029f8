// cpp_contracts::positive for the dispatch key CPU.
//
//   positive(Tensor x) -> (Tensor places, Tensor total)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/positive.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::positive: the kernel must be Tensor(const Tensor& x, Tensor& total)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, Tensor>, "cpp_contracts::positive: the kernel must return Tensor");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_contracts::positive: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, Tensor&>,
                "cpp_contracts::positive: output 'total' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::positive))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::positive(Tensor x) -> (Tensor places, Tensor total)\000";

std::tuple<Tensor, Tensor> call(const Tensor& x) {
  const checks::Checker check("cpp_contracts::positive");
  check.rank(x, "x", 1, "[n]");
  check.dtype<float>(x, "x");
  const int64_t n = x.size(0);
  Tensor total = checks::empty(checks::Shape(), checks::code<checks::ScalarType::Float>(), checks::DeviceCode(x));
  auto places = ::cpp_contracts::cpu::positive(x, total);
  check.output(places, "places", "[?kept <= n]", checks::Shape(-1), checks::code<checks::ScalarType::Long>(),
               checks::DeviceCode(x));
  check.output_layout(places, "places", "a contiguous tensor", checks::contiguous_strides);
  const int64_t kept = places.size(0);
  check.output_at_most("places", "kept", kept, n, "n");
  return {places, total};
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("positive", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
