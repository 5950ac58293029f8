// cpp_contracts::add.out for the dispatch key CPU.
//
//   add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/add_out.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::add.out: the kernel must be void(const Tensor& x, const Tensor& y, Tensor& out)");
};

template <class Result, class P0, class P1, class P2>
struct Kernel<signature::Of<Result, P0, P1, P2>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::add.out: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_contracts::add.out: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_contracts::add.out: argument 'y' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, Tensor&>,
                "cpp_contracts::add.out: argument 'out' is Tensor(a!) in the schema, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::add_out))>;

void write(const Tensor& x, const Tensor& y, Tensor& out) {
  if (x.dim() != 1) {
    checks::fail({"cpp_contracts::add.out: argument 'x': expected 1 dim [n], got a ", x.dim(),
                  "-dim tensor of shape ", x.sizes()});
  }
  if (y.dim() != 1) {
    checks::fail({"cpp_contracts::add.out: argument 'y': expected 1 dim [n], got a ", y.dim(),
                  "-dim tensor of shape ", y.sizes()});
  }
  if (out.dim() != 1) {
    checks::fail({"cpp_contracts::add.out: argument 'out': expected 1 dim [n], got a ", out.dim(),
                  "-dim tensor of shape ", out.sizes()});
  }
  if (!checks::has_dtype<checks::ScalarType::Float>(x)) {
    checks::fail({"cpp_contracts::add.out: argument 'x': expected float32, got ", checks::DtypeCode(x)});
  }
  if (!checks::has_dtype<checks::ScalarType::Float>(y)) {
    checks::fail({"cpp_contracts::add.out: argument 'y': expected float32, got ", checks::DtypeCode(y)});
  }
  if (!checks::has_dtype<checks::ScalarType::Float>(out)) {
    checks::fail({"cpp_contracts::add.out: argument 'out': expected float32, got ", checks::DtypeCode(out)});
  }
  if (checks::DeviceCode(y) != checks::DeviceCode(x)) {
    checks::fail({"cpp_contracts::add.out: argument 'y': expected x.device (", checks::DeviceCode(x), "), got ",
                  checks::DeviceCode(y)});
  }
  if (checks::DeviceCode(out) != checks::DeviceCode(x)) {
    checks::fail({"cpp_contracts::add.out: argument 'out': expected x.device (", checks::DeviceCode(x), "), got ",
                  checks::DeviceCode(out)});
  }
  const int64_t n = x.size(0);
  if (y.size(0) != n) {
    checks::fail({"cpp_contracts::add.out: argument 'y': expected size ", n, " at dim 0 (n, as in x.size(0)), got ",
                  y.size(0)});
  }
  if (out.size(0) != n) {
    checks::fail({"cpp_contracts::add.out: argument 'out': expected size ", n,
                  " at dim 0 (n, as in x.size(0)), got ", out.size(0)});
  }
  writes::refuse_overlap("cpp_contracts::add.out", /*same_is_fine=*/true,
                         {
                             {"x", writes::Role::read, x},
                             {"y", writes::Role::read, y},
                             {"out", writes::Role::written, out},
                         });
  if (aoti_torch_grad_mode_is_enabled()) {
    writes::refuse_grad_out("add", x);
    writes::refuse_grad_out("add", y);
    writes::refuse_grad_out("add", out);
  }
  writes::begin(out);
  ::cpp_contracts::cpu::add_out(x, y, out);
}

Tensor call(const Tensor& x, const Tensor& y, Tensor& out) {
  generated::write(x, y, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  m.impl("_add_out_write", TORCH_BOX(&write));
  m.impl("add.out", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
