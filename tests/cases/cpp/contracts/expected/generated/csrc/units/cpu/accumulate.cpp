// cpp_contracts::accumulate for the dispatch key CPU.
//
//   accumulate(Tensor(a!) total, Tensor(b!)? count, Tensor x, *, Tensor[] more) -> ()
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/accumulate.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::accumulate: the kernel must be void(Tensor& total, std::optional<Tensor>& count, const Tensor& x, const std::vector<Tensor>& more)");
};

template <class Result, class P0, class P1, class P2, class P3>
struct Kernel<signature::Of<Result, P0, P1, P2, P3>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::accumulate: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "cpp_contracts::accumulate: argument 'total' is Tensor(a!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, std::optional<Tensor>&>,
                "cpp_contracts::accumulate: argument 'count' is Tensor(b!)? in the schema, so the kernel must take std::optional<Tensor>&");
  static_assert(std::is_same_v<P2, const Tensor&>,
                "cpp_contracts::accumulate: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P3, const std::vector<Tensor>&>,
                "cpp_contracts::accumulate: argument 'more' is Tensor[] in the schema, so the kernel must take const std::vector<Tensor>&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::accumulate))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::accumulate(Tensor(a!) total, Tensor(b!)? count, Tensor x, *, Tensor[] more) -> ()\000";

void call(Tensor& total, std::optional<Tensor>& count, const Tensor& x, const std::vector<Tensor>& more) {
  const checks::Checker check("cpp_contracts::accumulate");
  check.rank(total, "total", 1, "[n]");
  check.rank(count, "count", 1, "[n]");
  check.rank(x, "x", 1, "[n]");
  check.rank(more, "more", 1, "[n]");
  check.dtype<float>(total, "total");
  check.dtype<int64_t>(count, "count");
  check.dtype<float>(x, "x");
  check.dtype<float>(more, "more");
  check.same_device(count, "count", total, "total");
  check.same_device(x, "x", total, "total");
  check.same_device(more, "more", total, "total");
  const int64_t n = total.size(0);
  check.size(count, "count", 0, n, "n, as in total.size(0)");
  check.size(x, "x", 0, n, "n, as in total.size(0)");
  check.size(more, "more", 0, n, "n, as in total.size(0)");
  check.condition(n > 0, "n > 0", {{"n = total.size(0)", n}});
  writes::refuse_overlap("cpp_contracts::accumulate", /*same_is_fine=*/false,
                         writes::Operands()
                             .add("total", writes::Role::written, total)
                             .add("count", writes::Role::written, count)
                             .add("x", writes::Role::read, x)
                             .add("more", writes::Role::read, more));
  writes::begin(total);
  writes::begin(count);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("cpp_contracts::accumulate", total);
    writes::refuse_graph("cpp_contracts::accumulate", count);
    writes::refuse_grad("cpp_contracts::accumulate", x);
    writes::refuse_grad("cpp_contracts::accumulate", more);
  }
  ::cpp_contracts::cpu::accumulate(total, count, x, more);
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("accumulate", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
