// cpp_contracts::halve_into for the dispatch key CPU.
//
//   halve_into(Tensor(a!) out, Tensor x) -> ()
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/halve_into.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::halve_into: the kernel must be void(Tensor& out, const Tensor& x)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::halve_into: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "cpp_contracts::halve_into: argument 'out' is Tensor! in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_contracts::halve_into: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::halve_into))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::halve_into(Tensor(a!) out, Tensor x) -> ()\000";

void call(Tensor& out, const Tensor& x) {
  const checks::Checker check("cpp_contracts::halve_into");
  check.rank(out, "out", 1, "[n]");
  check.rank(x, "x", 1, "[2*n]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(out, "out", x, "x");
  check.same_device(out, "out", x, "x");
  const int64_t n = check.solve(x, "x", 0, "2*n with n >= 0", 2);
  check.size(out, "out", 0, n, "n");
  writes::refuse_overlap("cpp_contracts::halve_into", /*same_is_fine=*/false,
                         {
                             {"out", writes::Role::written, out},
                             {"x", writes::Role::read, x},
                         });
  writes::begin(out);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("cpp_contracts::halve_into", out);
    writes::refuse_grad("cpp_contracts::halve_into", x);
  }
  ::cpp_contracts::cpu::halve_into(out, x);
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("halve_into", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
