// cpp_facts::fill for the dispatch key CPU.
//
//   fill(Tensor(a!) ids, Tensor x) -> ()
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/fill.cpp"

#include <cpp_facts/ops/unit.h>

namespace cpp_facts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0, "cpp_facts::fill: the kernel must be void(Tensor& ids, const Tensor& x)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, void>, "cpp_facts::fill: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "cpp_facts::fill: argument 'ids' is Tensor(a!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_facts::fill: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_facts::cpu::fill))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_facts::fill(Tensor(a!) ids, Tensor x) -> ()\000";

void call(Tensor& ids, const Tensor& x) {
  const checks::Checker check("cpp_facts::fill");
  check.rank(ids, "ids", 1, "[n]");
  check.rank(x, "x", 1, "[n]");
  check.dtype<int64_t>(ids, "ids");
  check.dtype<float>(x, "x");
  check.same_device(ids, "ids", x, "x");
  const int64_t n = x.size(0);
  check.size(ids, "ids", 0, n, "n, as in x.size(0)");
  writes::refuse_overlap("cpp_facts::fill", /*same_is_fine=*/false,
                         {
                             {"ids", writes::Role::written, ids},
                             {"x", writes::Role::read, x},
                         });
  writes::begin(ids);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("cpp_facts::fill", ids);
    writes::refuse_grad("cpp_facts::fill", x);
  }
  ::cpp_facts::cpu::fill(ids, x);
}

STABLE_TORCH_LIBRARY_IMPL(cpp_facts, CPU, m) {
  records::keep(kRecords);
  m.impl("fill", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_facts::generated
