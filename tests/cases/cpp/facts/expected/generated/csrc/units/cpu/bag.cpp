// cpp_facts::bag for the dispatch key CPU.
//
//   bag(Tensor[] weights, Tensor starts, Tensor total) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/bag.cpp"

#include <cpp_facts/ops/unit.h>

namespace cpp_facts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_facts::bag: the kernel must be void(const std::vector<Tensor>& weights, const Tensor& starts, const Tensor& total, Tensor& out)");
};

template <class Result, class P0, class P1, class P2, class P3>
struct Kernel<signature::Of<Result, P0, P1, P2, P3>> {
  static_assert(std::is_same_v<Result, void>, "cpp_facts::bag: the kernel must return void");
  static_assert(std::is_same_v<P0, const std::vector<Tensor>&>,
                "cpp_facts::bag: argument 'weights' is Tensor[] in the schema, so the kernel must take const std::vector<Tensor>&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_facts::bag: argument 'starts' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, const Tensor&>,
                "cpp_facts::bag: argument 'total' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P3, Tensor&>,
                "cpp_facts::bag: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_facts::cpu::bag))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_facts::bag(Tensor[] weights, Tensor starts, Tensor total) -> Tensor\000";

Tensor call(const std::vector<Tensor>& weights, const Tensor& starts, const Tensor& total) {
  const checks::Checker check("cpp_facts::bag");
  check.rank(weights, "weights", 1, "[n]");
  check.rank(starts, "starts", 1, "[bags + 1]");
  check.rank(total, "total", 0, "[]");
  check.dtype<float>(weights, "weights");
  check.dtype<int32_t>(starts, "starts");
  check.dtype<uint8_t>(total, "total");
  check.same_device(weights, "weights", starts, "starts");
  check.same_device(total, "total", starts, "starts");
  const int64_t bags = check.solve(starts, "starts", 0, "bags + 1 with bags >= 0", 1, 1);
  check.argument(checks::length(weights) >= 1, "weights", "len(weights) >= 1",
                 {{"len(weights)", checks::length(weights)}});
  const int64_t n = weights[0].size(0);
  check.size(weights, "weights", 0, n, "n, as in weights[0].size(0)");
  if (checks::check_values) {
    check.in_range(weights, "weights", -1, 2, "in range(-1, 2)");
    check.offsets(starts, "starts", 2 * n, "offsets(2*n)", {{"n = weights[0].size(0)", n}});
    check.in_range(total, "total", 0, bags, "in range(0, bags)", {{"bags", bags}});
  }
  Tensor out = checks::empty(checks::Shape(bags), checks::code<checks::ScalarType::Float>(),
                             checks::DeviceCode(starts));
  ::cpp_facts::cpu::bag(weights, starts, total, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_facts, CPU, m) {
  records::keep(kRecords);
  m.impl("bag", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_facts::generated
