// kin::norm for the dispatch key CPU.
//
//   norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor
//   norm.out(Tensor x, Tensor weight, float eps=1e-6, *, Tensor(a!) out) -> Tensor(a!)
//   norm_(Tensor(a!) x, Tensor weight, float eps=1e-6) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/norm.cpp"

#include <kin_ops/unit.h>

namespace kin::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "kin::norm: the kernel must be void(const Tensor& x, const Tensor& weight, double eps, Tensor& out)");
};

template <class Result, class P0, class P1, class P2, class P3>
struct Kernel<signature::Of<Result, P0, P1, P2, P3>> {
  static_assert(std::is_same_v<Result, void>, "kin::norm: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "kin::norm: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "kin::norm: argument 'weight' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, double>,
                "kin::norm: argument 'eps' is float in the schema, so the kernel must take double");
  static_assert(std::is_same_v<P3, Tensor&>,
                "kin::norm: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::kin::cpu::norm))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of kin::norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor\000"
    "opgen: CPU kernel of kin::norm.out(Tensor x, Tensor weight, float eps=1e-6, *, Tensor(a!) out) -> Tensor(a!)\000"
    "opgen: CPU kernel of kin::norm_(Tensor(a!) x, Tensor weight, float eps=1e-6) -> Tensor(a!)\000";

Tensor call(const Tensor& x, const Tensor& weight, double eps) {
  const checks::Checker check("kin::norm");
  check.argument(eps > 0, "eps", "eps > 0", {{"eps", eps}});
  check.rank_at_least(x, "x", 1, "[*batch, hidden]");
  check.rank(weight, "weight", 1, "[hidden]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(weight, "weight", x, "x");
  check.same_device(weight, "weight", x, "x");
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t hidden = x.size(-1);
  check.size(weight, "weight", 0, hidden, "hidden, as in x.size(-1)");
  Tensor out = checks::empty(checks::Shape(batch, hidden), checks::DtypeCode(x), checks::DeviceCode(x));
  ::kin::cpu::norm(x, weight, eps, out);
  return out;
}

void write_out(const Tensor& x, const Tensor& weight, double eps, Tensor& out) {
  const checks::Checker check("kin::norm.out");
  check.argument(eps > 0, "eps", "eps > 0", {{"eps", eps}});
  check.rank_at_least(x, "x", 1, "[*batch, hidden]");
  check.rank(weight, "weight", 1, "[hidden]");
  check.rank_at_least(out, "out", 1, "[*batch, hidden]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(weight, "weight", x, "x");
  check.same_dtype(out, "out", x, "x");
  check.same_device(weight, "weight", x, "x");
  check.same_device(out, "out", x, "x");
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t hidden = x.size(-1);
  check.size(weight, "weight", 0, hidden, "hidden, as in x.size(-1)");
  check.size(out, "out", -1, hidden, "hidden, as in x.size(-1)");
  check.sizes(out, "out", 0, 1, batch, "*batch, as in x.shape[:-1]");
  const writes::Common common = writes::refuse_overlap("kin::norm.out", /*same_is_fine=*/true,
                                                       {
                                                           {"x", writes::Role::read, x},
                                                           {"weight", writes::Role::read, weight},
                                                           {"out", writes::Role::written, out},
                                                       });
  if (abi::is_grad_enabled()) {
    writes::refuse_grad_out("norm", x);
    writes::refuse_grad_out("norm", weight);
    writes::refuse_grad_out("norm", out);
  }
  writes::begin(out);
  const bool out_fits = out.is_contiguous() && common == writes::Common::none;
  Tensor out_filled = out;
  if (!out_fits) {
    out_filled = checks::empty(checks::Shape(batch, hidden), checks::DtypeCode(x), checks::DeviceCode(x));
  }
  ::kin::cpu::norm(x, weight, eps, out_filled);
  if (!out_fits) writes::copy(out, out_filled);
}

Tensor call_out(const Tensor& x, const Tensor& weight, double eps, Tensor& out) {
  generated::write_out(x, weight, eps, out);
  return out;
}

void write_inplace(Tensor& x, const Tensor& weight, double eps) {
  const checks::Checker check("kin::norm_");
  check.argument(eps > 0, "eps", "eps > 0", {{"eps", eps}});
  check.rank_at_least(x, "x", 1, "[*batch, hidden]");
  check.rank(weight, "weight", 1, "[hidden]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(weight, "weight", x, "x");
  check.same_device(weight, "weight", x, "x");
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t hidden = x.size(-1);
  check.size(weight, "weight", 0, hidden, "hidden, as in x.size(-1)");
  writes::refuse_overlap("kin::norm_", /*same_is_fine=*/true,
                         {
                             {"x", writes::Role::written, x},
                             {"weight", writes::Role::read, weight},
                         });
  writes::begin(x);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("kin::norm_", x);
    writes::refuse_grad("kin::norm_", weight);
  }
  Tensor x_filled = checks::empty(checks::Shape(batch, hidden), checks::DtypeCode(x), checks::DeviceCode(x));
  ::kin::cpu::norm(x, weight, eps, x_filled);
  writes::copy(x, x_filled);
}

Tensor call_inplace(Tensor& x, const Tensor& weight, double eps) {
  generated::write_inplace(x, weight, eps);
  return x;
}

STABLE_TORCH_LIBRARY_IMPL(kin, CPU, m) {
  records::keep(kRecords);
  m.impl("norm", TORCH_BOX(&call));
  m.impl("_norm_out_write", TORCH_BOX(&write_out));
  m.impl("norm.out", TORCH_BOX(&call_out));
  m.impl("_norm__write", TORCH_BOX(&write_inplace));
  m.impl("norm_", TORCH_BOX(&call_inplace));
}

}  // namespace
}  // namespace kin::generated
