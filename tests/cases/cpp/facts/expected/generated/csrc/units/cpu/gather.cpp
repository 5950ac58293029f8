// cpp_facts::gather for the dispatch key CPU.
//
//   gather(Tensor rows, Tensor index, Tensor? order=None) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/gather.cpp"

#include <cpp_facts/ops/unit.h>

namespace cpp_facts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_facts::gather: the kernel must be void(const Tensor& rows, const Tensor& index, const std::optional<Tensor>& order, Tensor& out)");
};

template <class Result, class P0, class P1, class P2, class P3>
struct Kernel<signature::Of<Result, P0, P1, P2, P3>> {
  static_assert(std::is_same_v<Result, void>, "cpp_facts::gather: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_facts::gather: argument 'rows' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_facts::gather: argument 'index' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, const std::optional<Tensor>&>,
                "cpp_facts::gather: argument 'order' is Tensor? in the schema, so the kernel must take const std::optional<Tensor>&");
  static_assert(std::is_same_v<P3, Tensor&>,
                "cpp_facts::gather: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_facts::cpu::gather))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_facts::gather(Tensor rows, Tensor index, Tensor? order=None) -> Tensor\000";

Tensor call(const Tensor& rows, const Tensor& index, const std::optional<Tensor>& order) {
  const checks::Checker check("cpp_facts::gather");
  check.rank(rows, "rows", 2, "[n, d]");
  check.rank(order, "order", 1, "[n]");
  check.dtype<float>(rows, "rows");
  check.dtype<int32_t, int64_t>(index, "index");
  check.dtype<int64_t>(order, "order");
  check.same_device(index, "index", rows, "rows");
  check.same_device(order, "order", rows, "rows");
  const int64_t n = rows.size(0);
  const int64_t d = rows.size(1);
  const checks::Sizes batch = index.sizes();
  check.size(order, "order", 0, n, "n, as in rows.size(0)");
  if (checks::check_values) {
    check.in_range(index, "index", 0, n, "in range(0, n)", {{"n = rows.size(0)", n}});
    check.permutation(order, "order");
  }
  Tensor out = checks::empty(checks::Shape(batch, d), checks::code<checks::ScalarType::Float>(),
                             checks::DeviceCode(rows));
  ::cpp_facts::cpu::gather(rows, index, order, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_facts, CPU, m) {
  records::keep(kRecords);
  m.impl("gather", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_facts::generated
