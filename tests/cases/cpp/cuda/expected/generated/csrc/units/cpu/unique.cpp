// acme::unique for the dispatch key CPU.
//
//   unique(Tensor x) -> (Tensor values, Tensor counts)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/unique.cpp"

#include <acme/cuda_ops/unit.h>

namespace acme::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "acme::unique: the kernel must be std::tuple<Tensor, Tensor>(const Tensor& x)");
};

template <class Result, class P0>
struct Kernel<signature::Of<Result, P0>> {
  static_assert(std::is_same_v<Result, std::tuple<Tensor, Tensor>>,
                "acme::unique: the kernel must return std::tuple<Tensor, Tensor>");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "acme::unique: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
};

template struct Kernel<decltype(signature::of(&::unique))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of acme::unique(Tensor x) -> (Tensor values, Tensor counts)\000";

std::tuple<Tensor, Tensor> call(const Tensor& x) {
  const checks::Checker check("acme::unique");
  check.rank(x, "x", 1, "[n]");
  check.dtype<int64_t>(x, "x");
  const int64_t n = x.size(0);
  auto [values, counts] = ::unique(x);
  check.output(values, "values", "[?found <= n]", checks::Shape(-1), checks::code<checks::ScalarType::Long>(),
               checks::DeviceCode(x));
  check.output_layout(values, "values", "a contiguous tensor", checks::contiguous_strides);
  const int64_t found = values.size(0);
  check.output_at_most("values", "found", found, n, "n");
  check.output(counts, "counts", "[?found]", checks::Shape(found), checks::code<checks::ScalarType::Long>(),
               checks::DeviceCode(x));
  check.output_layout(counts, "counts", "a contiguous tensor", checks::contiguous_strides);
  return {values, counts};
}

STABLE_TORCH_LIBRARY_IMPL(acme, CPU, m) {
  records::keep(kRecords);
  m.impl("unique", TORCH_BOX(&call));
}

}  // namespace
}  // namespace acme::generated
