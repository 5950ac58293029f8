// cpp_contracts::scale for the dispatch key CPU.
//
//   scale(Tensor x, float factor=2.0) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/scale.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::scale: the kernel must be void(const Tensor& x, double factor, Tensor& out)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::scale: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_contracts::scale: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, double>,
                "cpp_contracts::scale: argument 'factor' is float in the schema, so the kernel must take double");
  static_assert(std::is_same_v<P2, Tensor&>,
                "cpp_contracts::scale: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::scale))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::scale(Tensor x, float factor=2.0) -> Tensor\000";

Tensor call(const Tensor& x, double factor) {
  const checks::Checker check("cpp_contracts::scale");
  check.dtype<Half, BFloat16, float, double>(x, "x");
  const checks::Sizes shape = x.sizes();
  Tensor out = checks::empty(checks::Shape(shape), checks::DtypeCode(x), checks::DeviceCode(x));
  ::cpp_contracts::cpu::scale(x, factor, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("scale", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
