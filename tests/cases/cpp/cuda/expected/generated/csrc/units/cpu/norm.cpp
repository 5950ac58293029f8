// acme::norm for the dispatch key CPU.
//
//   norm(Tensor x) -> (Tensor out, Tensor square)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "csrc/vendor.h"

// What stands in front of it.
#include <acme/cuda_ops/unit.h>

namespace acme::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "acme::norm: the kernel must be std::tuple<Tensor, Tensor>(const Tensor& x)");
};

template <class Result, class P0>
struct Kernel<signature::Of<Result, P0>> {
  static_assert(std::is_same_v<Result, std::tuple<Tensor, Tensor>>,
                "acme::norm: the kernel must return std::tuple<Tensor, Tensor>");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "acme::norm: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
};

template struct Kernel<decltype(signature::of(&::vendor::norm))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of acme::norm(Tensor x) -> (Tensor out, Tensor square)\000";

std::tuple<Tensor, Tensor> call(const Tensor& x) {
  const checks::Checker check("acme::norm");
  check.rank(x, "x", 2, "[rows, n]");
  check.dtype<float>(x, "x");
  const int64_t rows = x.size(0);
  auto [out, square] = ::vendor::norm(x);
  check.output(out, "out", "[rows]", checks::Shape(rows), checks::code<checks::ScalarType::Float>(),
               checks::DeviceCode(x));
  check.output_layout(out, "out", "a contiguous tensor", checks::contiguous_strides);
  check.output(square, "square", "[rows]", checks::Shape(rows), checks::code<checks::ScalarType::Float>(),
               checks::DeviceCode(x));
  check.output_layout(square, "square", "strides[1]", checks::Shape(1));
  return {out, square};
}

STABLE_TORCH_LIBRARY_IMPL(acme, CPU, m) {
  records::keep(kRecords);
  m.impl("norm", TORCH_BOX(&call));
}

}  // namespace
}  // namespace acme::generated
