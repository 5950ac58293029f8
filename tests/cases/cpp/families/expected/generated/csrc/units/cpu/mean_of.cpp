// kin::mean_of for the dispatch key CPU.
//
//   mean_of(Tensor[] xs, Tensor? weight=None) -> Tensor
//   mean_of.out(Tensor[] xs, Tensor? weight=None, *, Tensor(a!) out) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/mean_of.cpp"

#include <kin_ops/unit.h>

namespace kin::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "kin::mean_of: the kernel must be void(const std::vector<Tensor>& xs, const std::optional<Tensor>& weight, Tensor& out)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "kin::mean_of: the kernel must return void");
  static_assert(std::is_same_v<P0, const std::vector<Tensor>&>,
                "kin::mean_of: argument 'xs' is Tensor[] in the schema, so the kernel must take const std::vector<Tensor>&");
  static_assert(std::is_same_v<P1, const std::optional<Tensor>&>,
                "kin::mean_of: argument 'weight' is Tensor? in the schema, so the kernel must take const std::optional<Tensor>&");
  static_assert(std::is_same_v<P2, Tensor&>,
                "kin::mean_of: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::kin::cpu::mean_of))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of kin::mean_of(Tensor[] xs, Tensor? weight=None) -> Tensor\000"
    "opgen: CPU kernel of kin::mean_of.out(Tensor[] xs, Tensor? weight=None, *, Tensor(a!) out) -> Tensor(a!)\000";

Tensor call(const std::vector<Tensor>& xs, const std::optional<Tensor>& weight) {
  const checks::Checker check("kin::mean_of");
  check.argument(checks::length(xs) > 0, "xs", "len(xs) > 0", {{"len(xs)", checks::length(xs)}});
  check.rank(xs, "xs", 1, "[n]");
  check.rank(weight, "weight", 1, "[n]");
  check.dtype<float, double>(xs, "xs");
  check.same_dtype(xs, "xs", xs, "xs");
  check.same_dtype(weight, "weight", xs, "xs");
  check.same_device(xs, "xs", xs, "xs");
  check.same_device(weight, "weight", xs, "xs");
  const int64_t n = xs[0].size(0);
  check.size(xs, "xs", 0, n, "n, as in xs[0].size(0)");
  check.size(weight, "weight", 0, n, "n, as in xs[0].size(0)");
  Tensor out = checks::empty(checks::Shape(n), checks::DtypeCode(xs[0]), checks::DeviceCode(xs[0]));
  ::kin::cpu::mean_of(xs, weight, out);
  return out;
}

void write_out(const std::vector<Tensor>& xs, const std::optional<Tensor>& weight, Tensor& out) {
  const checks::Checker check("kin::mean_of.out");
  check.argument(checks::length(xs) > 0, "xs", "len(xs) > 0", {{"len(xs)", checks::length(xs)}});
  check.rank(xs, "xs", 1, "[n]");
  check.rank(weight, "weight", 1, "[n]");
  check.rank(out, "out", 1, "[n]");
  check.dtype<float, double>(xs, "xs");
  check.same_dtype(xs, "xs", xs, "xs");
  check.same_dtype(weight, "weight", xs, "xs");
  check.same_dtype(out, "out", xs, "xs");
  check.same_device(xs, "xs", out, "out");
  check.same_device(weight, "weight", out, "out");
  const int64_t n = xs[0].size(0);
  check.size(xs, "xs", 0, n, "n, as in xs[0].size(0)");
  check.size(weight, "weight", 0, n, "n, as in xs[0].size(0)");
  check.size(out, "out", 0, n, "n, as in xs[0].size(0)");
  const writes::Common common = writes::refuse_overlap("kin::mean_of.out", /*same_is_fine=*/true,
                                                       writes::Operands()
                                                           .add("xs", writes::Role::read, xs)
                                                           .add("weight", writes::Role::read, weight)
                                                           .add("out", writes::Role::written, out));
  if (abi::is_grad_enabled()) {
    writes::refuse_grad_out("mean_of", xs);
    writes::refuse_grad_out("mean_of", weight);
    writes::refuse_grad_out("mean_of", out);
  }
  writes::begin(out);
  const bool out_fits = out.is_contiguous() && common == writes::Common::none;
  Tensor out_filled = out;
  if (!out_fits) {
    out_filled = checks::empty(checks::Shape(n), checks::DtypeCode(xs[0]), checks::DeviceCode(xs[0]));
  }
  ::kin::cpu::mean_of(xs, weight, out_filled);
  if (!out_fits) writes::copy(out, out_filled);
}

Tensor call_out(const std::vector<Tensor>& xs, const std::optional<Tensor>& weight, Tensor& out) {
  generated::write_out(xs, weight, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(kin, CPU, m) {
  records::keep(kRecords);
  m.impl("mean_of", TORCH_BOX(&call));
  m.impl("_mean_of_out_write", TORCH_BOX(&write_out));
  m.impl("mean_of.out", TORCH_BOX(&call_out));
}

}  // namespace
}  // namespace kin::generated
