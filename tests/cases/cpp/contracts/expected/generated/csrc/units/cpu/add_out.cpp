// cpp_contracts::add.out for the dispatch key CPU.
//
//   add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/add_out.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::add.out: the kernel must be void(const Tensor& x, const Tensor& y, Tensor& out)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::add.out: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_contracts::add.out: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_contracts::add.out: argument 'y' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, Tensor&>,
                "cpp_contracts::add.out: argument 'out' is Tensor(a!) in the schema, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::add_out))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)\000";

void write(const Tensor& x, const Tensor& y, Tensor& out) {
  const checks::Checker check("cpp_contracts::add.out");
  check.rank(x, "x", 1, "[n]");
  check.rank(y, "y", 1, "[n]");
  check.rank(out, "out", 1, "[n]");
  check.dtype<float>(x, "x");
  check.dtype<float>(y, "y");
  check.dtype<float>(out, "out");
  check.same_device(y, "y", x, "x");
  check.same_device(out, "out", x, "x");
  const int64_t n = x.size(0);
  check.size(y, "y", 0, n, "n, as in x.size(0)");
  check.size(out, "out", 0, n, "n, as in x.size(0)");
  writes::refuse_overlap("cpp_contracts::add.out", /*same_is_fine=*/true,
                         {
                             {"x", writes::Role::read, x},
                             {"y", writes::Role::read, y},
                             {"out", writes::Role::written, out},
                         });
  if (abi::is_grad_enabled()) {
    writes::refuse_grad_out("add", x);
    writes::refuse_grad_out("add", y);
    writes::refuse_grad_out("add", out);
  }
  writes::begin(out);
  ::cpp_contracts::cpu::add_out(x, y, out);
}

Tensor call(const Tensor& x, const Tensor& y, Tensor& out) {
  generated::write(x, y, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("_add_out_write", TORCH_BOX(&write));
  m.impl("add.out", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
