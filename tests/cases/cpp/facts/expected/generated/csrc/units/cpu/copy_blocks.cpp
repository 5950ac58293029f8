// cpp_facts::copy_blocks for the dispatch key CPU.
//
//   copy_blocks(Tensor(a!)[] keys, Tensor(b!)[] values, Tensor pairs) -> ()
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/copy_blocks.cpp"

#include <cpp_facts/ops/unit.h>

namespace cpp_facts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_facts::copy_blocks: the kernel must be void(std::vector<Tensor>& keys, std::vector<Tensor>& values, const Tensor& pairs)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "cpp_facts::copy_blocks: the kernel must return void");
  static_assert(std::is_same_v<P0, std::vector<Tensor>&>,
                "cpp_facts::copy_blocks: argument 'keys' is Tensor(a!)[] in the schema, so the kernel must take std::vector<Tensor>&");
  static_assert(std::is_same_v<P1, std::vector<Tensor>&>,
                "cpp_facts::copy_blocks: argument 'values' is Tensor(b!)[] in the schema, so the kernel must take std::vector<Tensor>&");
  static_assert(std::is_same_v<P2, const Tensor&>,
                "cpp_facts::copy_blocks: argument 'pairs' is Tensor in the schema, so the kernel must take const Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_facts::cpu::copy_blocks))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_facts::copy_blocks(Tensor(a!)[] keys, Tensor(b!)[] values, Tensor pairs) -> ()\000";

void call(std::vector<Tensor>& keys, std::vector<Tensor>& values, const Tensor& pairs) {
  const checks::Checker check("cpp_facts::copy_blocks");
  check.condition(checks::length(keys) == checks::length(values), "len(keys) == len(values)",
                  {{"len(keys)", checks::length(keys)}, {"len(values)", checks::length(values)}});
  check.argument(checks::length(keys) > 0, "keys", "len(keys) > 0", {{"len(keys)", checks::length(keys)}});
  check.rank_at_least(keys, "keys", 1, "[blocks, *rest]");
  check.rank_at_least(values, "values", 1, "[blocks, *rest]");
  check.rank(pairs, "pairs", 2, "[_, 2]");
  check.dtype<int64_t>(pairs, "pairs");
  check.same_dtype(keys, "keys", keys, "keys");
  check.same_dtype(values, "values", keys, "keys");
  check.same_device(keys, "keys", pairs, "pairs");
  check.same_device(values, "values", pairs, "pairs");
  const int64_t blocks = keys[0].size(0);
  const checks::Sizes rest = checks::run(keys[0].sizes(), 1, 0);
  check.size(keys, "keys", 0, blocks, "blocks, as in keys[0].size(0)");
  check.sizes(keys, "keys", 1, 0, rest, "*rest, as in keys[0].shape[1:]");
  check.size(values, "values", 0, blocks, "blocks, as in keys[0].size(0)");
  check.sizes(values, "values", 1, 0, rest, "*rest, as in keys[0].shape[1:]");
  check.size(pairs, "pairs", 1, 2);
  if (checks::check_values) {
    check.in_range(pairs, "pairs", 0, blocks, "in range(0, blocks)", {{"blocks = keys[0].size(0)", blocks}});
  }
  writes::refuse_overlap("cpp_facts::copy_blocks", /*same_is_fine=*/false,
                         writes::Operands()
                             .add("keys", writes::Role::written, keys)
                             .add("values", writes::Role::written, values)
                             .add("pairs", writes::Role::read, pairs));
  writes::begin(keys);
  writes::begin(values);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("cpp_facts::copy_blocks", keys);
    writes::refuse_graph("cpp_facts::copy_blocks", values);
    writes::refuse_grad("cpp_facts::copy_blocks", pairs);
  }
  ::cpp_facts::cpu::copy_blocks(keys, values, pairs);
}

STABLE_TORCH_LIBRARY_IMPL(cpp_facts, CPU, m) {
  records::keep(kRecords);
  m.impl("copy_blocks", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_facts::generated
