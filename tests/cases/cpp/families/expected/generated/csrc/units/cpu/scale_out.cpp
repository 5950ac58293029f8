// kin::scale.out for the dispatch key CPU.
//
//   scale.out(Tensor x, float by=2.0, *, Tensor(a!) out) -> Tensor(a!)
//   scale(Tensor x, float by=2.0) -> Tensor
//   scale_(Tensor(a!) x, float by=2.0) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/scale_out.cpp"

#include <kin_ops/unit.h>

namespace kin::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "kin::scale.out: the kernel must be void(const Tensor& x, double by, Tensor& out)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "kin::scale.out: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "kin::scale.out: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, double>,
                "kin::scale.out: argument 'by' is float in the schema, so the kernel must take double");
  static_assert(std::is_same_v<P2, Tensor&>,
                "kin::scale.out: argument 'out' is Tensor(a!) in the schema, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::kin::cpu::scale_out))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of kin::scale.out(Tensor x, float by=2.0, *, Tensor(a!) out) -> Tensor(a!)\000"
    "opgen: CPU kernel of kin::scale(Tensor x, float by=2.0) -> Tensor\000"
    "opgen: CPU kernel of kin::scale_(Tensor(a!) x, float by=2.0) -> Tensor(a!)\000";

void write(const Tensor& x, double by, Tensor& out) {
  const checks::Checker check("kin::scale.out");
  check.rank(x, "x", 2, "[n, m]");
  check.rank(out, "out", 2, "[n, m]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(out, "out", x, "x");
  check.same_device(out, "out", x, "x");
  const int64_t n = x.size(0);
  const int64_t m = x.size(1);
  check.size(out, "out", 0, n, "n, as in x.size(0)");
  check.size(out, "out", 1, m, "m, as in x.size(1)");
  check.contiguous(out, "out");
  writes::refuse_overlap("kin::scale.out", /*same_is_fine=*/true,
                         {
                             {"x", writes::Role::read, x},
                             {"out", writes::Role::written, out},
                         });
  if (abi::is_grad_enabled()) {
    writes::refuse_grad_out("scale", x);
    writes::refuse_grad_out("scale", out);
  }
  writes::begin(out);
  ::kin::cpu::scale_out(x, by, out);
}

Tensor call(const Tensor& x, double by, Tensor& out) {
  generated::write(x, by, out);
  return out;
}

Tensor call_functional(const Tensor& x, double by) {
  const checks::Checker check("kin::scale");
  check.rank(x, "x", 2, "[n, m]");
  check.dtype<float, double>(x, "x");
  const int64_t n = x.size(0);
  const int64_t m = x.size(1);
  Tensor out = checks::empty(checks::Shape(n, m), checks::DtypeCode(x), checks::DeviceCode(x));
  ::kin::cpu::scale_out(x, by, out);
  return out;
}

void write_inplace(Tensor& x, double by) {
  const checks::Checker check("kin::scale_");
  check.rank(x, "x", 2, "[n, m]");
  check.dtype<float, double>(x, "x");
  const int64_t n = x.size(0);
  const int64_t m = x.size(1);
  writes::refuse_overlap("kin::scale_", /*same_is_fine=*/true,
                         {
                             {"x", writes::Role::written, x},
                         });
  writes::begin(x);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("kin::scale_", x);
  }
  const bool x_fits = x.is_contiguous();
  Tensor x_filled = x;
  if (!x_fits) {
    x_filled = checks::empty(checks::Shape(n, m), checks::DtypeCode(x), checks::DeviceCode(x));
  }
  ::kin::cpu::scale_out(x, by, x_filled);
  if (!x_fits) writes::copy(x, x_filled);
}

Tensor call_inplace(Tensor& x, double by) {
  generated::write_inplace(x, by);
  return x;
}

STABLE_TORCH_LIBRARY_IMPL(kin, CPU, m) {
  records::keep(kRecords);
  m.impl("_scale_out_write", TORCH_BOX(&write));
  m.impl("scale.out", TORCH_BOX(&call));
  m.impl("scale", TORCH_BOX(&call_functional));
  m.impl("_scale__write", TORCH_BOX(&write_inplace));
  m.impl("scale_", TORCH_BOX(&call_inplace));
}

}  // namespace
}  // namespace kin::generated
