// acme::scale for the dispatch key CPU.
//
//   scale(Tensor x, float by) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/scale.cpp"

#include <acme/cuda_ops/unit.h>

namespace acme::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "acme::scale: the kernel must be void(const Tensor& x, double by, Tensor& out)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "acme::scale: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "acme::scale: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, double>,
                "acme::scale: argument 'by' is float in the schema, so the kernel must take double");
  static_assert(std::is_same_v<P2, Tensor&>,
                "acme::scale: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::acme::cpu::scale))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of acme::scale(Tensor x, float by) -> Tensor\000";

Tensor call(const Tensor& x, double by) {
  const checks::Checker check("acme::scale");
  check.rank_at_least(x, "x", 1, "[*batch, n]");
  check.dtype<Half, BFloat16, float, double>(x, "x");
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t n = x.size(-1);
  Tensor out = checks::empty(checks::Shape(batch, n), checks::DtypeCode(x), checks::DeviceCode(x));
  ::acme::cpu::scale(x, by, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(acme, CPU, m) {
  records::keep(kRecords);
  m.impl("scale", TORCH_BOX(&call));
}

}  // namespace
}  // namespace acme::generated
