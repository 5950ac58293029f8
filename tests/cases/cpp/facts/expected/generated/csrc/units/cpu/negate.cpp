// cpp_facts::negate for the dispatch key CPU.
//
//   negate(Tensor x) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/negate.cpp"

#include <cpp_facts/ops/unit.h>

namespace cpp_facts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_facts::negate: the kernel must be void(const Tensor& x, Tensor& out)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, void>, "cpp_facts::negate: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_facts::negate: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, Tensor&>,
                "cpp_facts::negate: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_facts::cpu::negate))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_facts::negate(Tensor x) -> Tensor\000";

Tensor call(const Tensor& x) {
  const checks::Checker check("cpp_facts::negate");
  check.dtype<float>(x, "x");
  const checks::Sizes shape = x.sizes();
  Tensor out = checks::empty_strided(checks::Shape(shape), checks::strides_like(x),
                                     checks::code<checks::ScalarType::Float>(), checks::DeviceCode(x));
  ::cpp_facts::cpu::negate(x, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_facts, CPU, m) {
  records::keep(kRecords);
  m.impl("negate", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_facts::generated
