// kin::gate for the dispatch key CPU.
//
//   gate(Tensor(a!) out, Tensor x, Tensor(b!) work) -> ()
//   gate.functional(Tensor x) -> Tensor
//   gate.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/gate.cpp"

#include <kin_ops/unit.h>

namespace kin::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "kin::gate: the kernel must be void(Tensor& out, const Tensor& x, Tensor& work)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "kin::gate: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "kin::gate: argument 'out' is Tensor! in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "kin::gate: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, Tensor&>,
                "kin::gate: argument 'work' is Tensor! in the schema, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::kin::cpu::gate))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of kin::gate(Tensor(a!) out, Tensor x, Tensor(b!) work) -> ()\000"
    "opgen: CPU kernel of kin::gate.functional(Tensor x) -> Tensor\000"
    "opgen: CPU kernel of kin::gate.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\000";

void call(Tensor& out, const Tensor& x, Tensor& work) {
  const checks::Checker check("kin::gate");
  check.rank_at_least(out, "out", 1, "[*batch, d]");
  check.rank_at_least(x, "x", 1, "[*batch, 2*d]");
  check.rank(work, "work", 1, "[max(d, 1)]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(out, "out", x, "x");
  check.same_dtype(work, "work", x, "x");
  check.same_device(out, "out", x, "x");
  check.same_device(work, "work", x, "x");
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t d = check.solve(x, "x", -1, "2*d with d >= 0", 2);
  check.size(out, "out", -1, d, "d");
  check.sizes(out, "out", 0, 1, batch, "*batch, as in x.shape[:-1]");
  check.size(work, "work", 0, std::max<int64_t>({d, 1}), "max(d, 1)");
  check.contiguous(out, "out");
  check.contiguous(work, "work");
  writes::refuse_overlap("kin::gate", /*same_is_fine=*/false,
                         {
                             {"out", writes::Role::written, out},
                             {"x", writes::Role::read, x},
                             {"work", writes::Role::written, work},
                         });
  writes::begin(out);
  writes::begin(work);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("kin::gate", out);
    writes::refuse_grad("kin::gate", x);
    writes::refuse_graph("kin::gate", work);
  }
  ::kin::cpu::gate(out, x, work);
}

Tensor call_functional(const Tensor& x) {
  const checks::Checker check("kin::gate.functional");
  check.rank_at_least(x, "x", 1, "[*batch, 2*d]");
  check.dtype<float, double>(x, "x");
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t d = check.solve(x, "x", -1, "2*d with d >= 0", 2);
  Tensor out = checks::empty(checks::Shape(batch, d), checks::DtypeCode(x), checks::DeviceCode(x));
  Tensor work = checks::empty(checks::Shape(std::max<int64_t>({d, 1})), checks::DtypeCode(x),
                              checks::DeviceCode(x));
  ::kin::cpu::gate(out, x, work);
  return out;
}

void write_out(const Tensor& x, Tensor& out) {
  const checks::Checker check("kin::gate.out");
  check.rank_at_least(x, "x", 1, "[*batch, 2*d]");
  check.rank_at_least(out, "out", 1, "[*batch, d]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(out, "out", x, "x");
  check.same_device(out, "out", x, "x");
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t d = check.solve(x, "x", -1, "2*d with d >= 0", 2);
  check.size(out, "out", -1, d, "d");
  check.sizes(out, "out", 0, 1, batch, "*batch, as in x.shape[:-1]");
  const writes::Common common = writes::refuse_overlap("kin::gate.out", /*same_is_fine=*/true,
                                                       {
                                                           {"x", writes::Role::read, x},
                                                           {"out", writes::Role::written, out},
                                                       });
  if (abi::is_grad_enabled()) {
    writes::refuse_grad_out("gate", x);
    writes::refuse_grad_out("gate", out);
  }
  writes::begin(out);
  const bool out_fits = out.is_contiguous() && common == writes::Common::none;
  Tensor out_filled = out;
  if (!out_fits) {
    out_filled = checks::empty(checks::Shape(batch, d), checks::DtypeCode(x), checks::DeviceCode(x));
  }
  Tensor work = checks::empty(checks::Shape(std::max<int64_t>({d, 1})), checks::DtypeCode(x),
                              checks::DeviceCode(x));
  ::kin::cpu::gate(out_filled, x, work);
  if (!out_fits) writes::copy(out, out_filled);
}

Tensor call_out(const Tensor& x, Tensor& out) {
  generated::write_out(x, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(kin, CPU, m) {
  records::keep(kRecords);
  m.impl("gate", TORCH_BOX(&call));
  m.impl("gate.functional", TORCH_BOX(&call_functional));
  m.impl("_gate_out_write", TORCH_BOX(&write_out));
  m.impl("gate.out", TORCH_BOX(&call_out));
}

}  // namespace
}  // namespace kin::generated
