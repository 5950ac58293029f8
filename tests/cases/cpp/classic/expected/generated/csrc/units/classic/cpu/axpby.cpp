// cpp_classic::axpby for the dispatch key CPU.
//
//   axpby(Tensor x, Tensor y, Scalar alpha=1, Scalar? beta=None) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#define CPP_CLASSIC_OPS_ABI_CLASSIC
#include "kernels/cpu/axpby.cpp"

#include <cpp_classic_ops/unit.h>

namespace cpp_classic::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_classic::axpby: the kernel must be void(const Tensor& x, const Tensor& y, const Scalar& alpha, const std::optional<Scalar>& beta, Tensor& out)");
};

template <class Result, class P0, class P1, class P2, class P3, class P4>
struct Kernel<signature::Of<Result, P0, P1, P2, P3, P4>> {
  static_assert(std::is_same_v<Result, void>, "cpp_classic::axpby: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_classic::axpby: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_classic::axpby: argument 'y' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, const Scalar&>,
                "cpp_classic::axpby: argument 'alpha' is Scalar in the schema, so the kernel must take const Scalar&");
  static_assert(std::is_same_v<P3, const std::optional<Scalar>&>,
                "cpp_classic::axpby: argument 'beta' is Scalar? in the schema, so the kernel must take const std::optional<Scalar>&");
  static_assert(std::is_same_v<P4, Tensor&>,
                "cpp_classic::axpby: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_classic::cpu::axpby))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_classic::axpby(Tensor x, Tensor y, Scalar alpha=1, Scalar? beta=None) -> Tensor\000";

Tensor call(const Tensor& x, const Tensor& y, const Scalar& alpha, const std::optional<Scalar>& beta) {
  const checks::Checker check("cpp_classic::axpby");
  check.argument(abi::number(alpha) != 0, "alpha", "alpha != 0", {{"alpha", alpha}});
  check.rank(x, "x", 1, "[n]");
  check.rank(y, "y", 1, "[n]");
  check.dtype<int64_t, float, complex<float>>(x, "x");
  check.same_dtype(y, "y", x, "x");
  check.same_device(y, "y", x, "x");
  const int64_t n = x.size(0);
  check.size(y, "y", 0, n, "n, as in x.size(0)");
  Tensor out = checks::empty(checks::Shape(n), checks::promote(x, y, alpha), checks::DeviceCode(x));
  ::cpp_classic::cpu::axpby(x, y, alpha, beta, out);
  return out;
}

TORCH_LIBRARY_IMPL(cpp_classic, CPU, m) {
  records::keep(kRecords);
  m.impl("axpby", abi::boxed<&call>());
}

}  // namespace
}  // namespace cpp_classic::generated
