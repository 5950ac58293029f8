// cpp_contracts::swap for the dispatch key CPU.
//
//   swap(Tensor(a!) x, Tensor(b!) y) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/swap.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::swap: the kernel must be void(Tensor& x, Tensor& y, Tensor& out)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::swap: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "cpp_contracts::swap: argument 'x' is Tensor(a!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, Tensor&>,
                "cpp_contracts::swap: argument 'y' is Tensor(b!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P2, Tensor&>,
                "cpp_contracts::swap: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::swap))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::swap(Tensor(a!) x, Tensor(b!) y) -> Tensor\000";

Tensor call(Tensor& x, Tensor& y) {
  const checks::Checker check("cpp_contracts::swap");
  check.rank(x, "x", 1, "[n]");
  check.rank(y, "y", 1, "[n]");
  check.dtype<float>(x, "x");
  check.dtype<float>(y, "y");
  check.same_device(y, "y", x, "x");
  const int64_t n = x.size(0);
  check.size(y, "y", 0, n, "n, as in x.size(0)");
  writes::refuse_overlap("cpp_contracts::swap", /*same_is_fine=*/false,
                         {
                             {"x", writes::Role::written_may_overlap, x},
                             {"y", writes::Role::written_may_overlap, y},
                         });
  writes::begin(x);
  writes::begin(y);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("cpp_contracts::swap", x);
    writes::refuse_graph("cpp_contracts::swap", y);
  }
  Tensor out = checks::empty(checks::Shape(n), checks::code<checks::ScalarType::Float>(), checks::DeviceCode(x));
  ::cpp_contracts::cpu::swap(x, y, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("swap", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
