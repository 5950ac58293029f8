// cpp_contracts::support for the dispatch key CPU.
//
//   support(Tensor x) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/support.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::support: the kernel must be void(const Tensor& x, Tensor& out)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::support: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_contracts::support: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, Tensor&>,
                "cpp_contracts::support: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::support))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::support(Tensor x) -> Tensor\000";

Tensor call(const Tensor& x) {
  const checks::Checker check("cpp_contracts::support");
  check.rank(x, "x", 1, "[n]");
  check.dtype<float>(x, "x");
  const int64_t n = x.size(0);
  Tensor out = checks::empty(checks::Shape(n), checks::code<checks::ScalarType::Float>(), checks::DeviceCode(x));
  ::cpp_contracts::cpu::support(x, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("support", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
