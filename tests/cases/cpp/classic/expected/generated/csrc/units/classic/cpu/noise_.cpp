// cpp_classic::noise_ for the dispatch key CPU.
//
//   noise_(Tensor(a!) x, *, Generator? generator=None) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#define CPP_CLASSIC_OPS_ABI_CLASSIC
#include "kernels/cpu/noise_.cpp"

#include <cpp_classic_ops/unit.h>

namespace cpp_classic::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_classic::noise_: the kernel must be void(Tensor& x, const std::optional<Generator>& generator)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, void>, "cpp_classic::noise_: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "cpp_classic::noise_: argument 'x' is Tensor(a!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, const std::optional<Generator>&>,
                "cpp_classic::noise_: argument 'generator' is Generator? in the schema, so the kernel must take const std::optional<Generator>&");
};

template struct Kernel<decltype(signature::of(&::cpp_classic::cpu::noise_))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_classic::noise_(Tensor(a!) x, *, Generator? generator=None) -> Tensor(a!)\000";

void write(Tensor& x, const std::optional<Generator>& generator) {
  const checks::Checker check("cpp_classic::noise_");
  check.rank(x, "x", 1, "[n]");
  check.dtype<float>(x, "x");
  writes::refuse_overlap("cpp_classic::noise_", /*same_is_fine=*/false,
                         {
                             {"x", writes::Role::written, x},
                         });
  writes::begin(x);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("cpp_classic::noise_", x);
  }
  ::cpp_classic::cpu::noise_(x, generator);
}

Tensor call(Tensor& x, const std::optional<Generator>& generator) {
  generated::write(x, generator);
  return x;
}

TORCH_LIBRARY_IMPL(cpp_classic, CPU, m) {
  records::keep(kRecords);
  m.impl("_noise__write", abi::boxed<&write>());
  m.impl("noise_", abi::boxed<&call>());
}

}  // namespace
}  // namespace cpp_classic::generated
