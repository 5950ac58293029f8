// cpp_contracts::extremes for the dispatch key CPU.
//
//   extremes(Tensor x) -> (Tensor low, Tensor place)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/extremes.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::extremes: the kernel must be void(const Tensor& x, Tensor& low, Tensor& place)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::extremes: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_contracts::extremes: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, Tensor&>,
                "cpp_contracts::extremes: output 'low' is allocated before the kernel runs, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P2, Tensor&>,
                "cpp_contracts::extremes: output 'place' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::extremes))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::extremes(Tensor x) -> (Tensor low, Tensor place)\000";

std::tuple<Tensor, Tensor> call(const Tensor& x) {
  const checks::Checker check("cpp_contracts::extremes");
  check.rank(x, "x", 2, "[rows, n]");
  check.dtype<float, double>(x, "x");
  const int64_t rows = x.size(0);
  const int64_t n = x.size(1);
  check.condition(n > 0, "n > 0", {{"n = x.size(1)", n}});
  Tensor low = checks::empty(checks::Shape(rows), checks::DtypeCode(x), checks::DeviceCode(x));
  Tensor place = checks::empty(checks::Shape(rows), checks::code<checks::ScalarType::Long>(),
                               checks::DeviceCode(x));
  ::cpp_contracts::cpu::extremes(x, low, place);
  return {low, place};
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("extremes", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
