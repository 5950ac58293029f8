// cpp_contracts::scale_ for the dispatch key CPU.
//
//   scale_(Tensor(a!) x, float factor=2.0) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/scale_.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::scale_: the kernel must be void(Tensor& x, double factor)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::scale_: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "cpp_contracts::scale_: argument 'x' is Tensor(a!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, double>,
                "cpp_contracts::scale_: argument 'factor' is float in the schema, so the kernel must take double");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::scale_))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_contracts::scale_(Tensor(a!) x, float factor=2.0) -> Tensor(a!)\000";

void write(Tensor& x, double factor) {
  const checks::Checker check("cpp_contracts::scale_");
  check.dtype<Half, BFloat16, float, double>(x, "x");
  writes::refuse_overlap("cpp_contracts::scale_", /*same_is_fine=*/false,
                         {
                             {"x", writes::Role::written, x},
                         });
  writes::begin(x);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("cpp_contracts::scale_", x);
  }
  ::cpp_contracts::cpu::scale_(x, factor);
}

Tensor call(Tensor& x, double factor) {
  generated::write(x, factor);
  return x;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  records::keep(kRecords);
  m.impl("_scale__write", TORCH_BOX(&write));
  m.impl("scale_", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
