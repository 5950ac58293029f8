// cpp_types::namespace for the dispatch key CPU.
//
//   namespace(Tensor union, Tensor dispatch, int double, int long=1) -> Tensor
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/namespace.cpp"

#include <cpp_types_ops/unit.h>

namespace cpp_types::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_types::namespace: the kernel must be void(const Tensor& union_, const Tensor& dispatch_, int64_t double_, int64_t long_, Tensor& out)");
};

template <class Result, class P0, class P1, class P2, class P3, class P4>
struct Kernel<signature::Of<Result, P0, P1, P2, P3, P4>> {
  static_assert(std::is_same_v<Result, void>, "cpp_types::namespace: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_types::namespace: argument 'union' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, const Tensor&>,
                "cpp_types::namespace: argument 'dispatch' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P2, int64_t>,
                "cpp_types::namespace: argument 'double' is int in the schema, so the kernel must take int64_t");
  static_assert(std::is_same_v<P3, int64_t>,
                "cpp_types::namespace: argument 'long' is int in the schema, so the kernel must take int64_t");
  static_assert(std::is_same_v<P4, Tensor&>,
                "cpp_types::namespace: output 'out' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::cpp_types::cpu::namespace_))>;

Tensor call(const Tensor& union_, const Tensor& dispatch_, int64_t double_, int64_t long_) {
  if (union_.dim() != 1) {
    checks::fail({"cpp_types::namespace: argument 'union': expected 1 dim [auto], got a ", union_.dim(),
                  "-dim tensor of shape ", union_.sizes()});
  }
  if (dispatch_.dim() != 1) {
    checks::fail({"cpp_types::namespace: argument 'dispatch': expected 1 dim [auto], got a ", dispatch_.dim(),
                  "-dim tensor of shape ", dispatch_.sizes()});
  }
  if (!checks::has_dtype<checks::ScalarType::Float>(union_)) {
    checks::fail({"cpp_types::namespace: argument 'union': expected float32, got ", checks::DtypeCode(union_)});
  }
  if (!checks::has_dtype<checks::ScalarType::Float, checks::ScalarType::Double>(dispatch_)) {
    checks::fail({"cpp_types::namespace: argument 'dispatch': expected float32 or float64, got ",
                  checks::DtypeCode(dispatch_)});
  }
  if (checks::DeviceCode(dispatch_) != checks::DeviceCode(union_)) {
    checks::fail({"cpp_types::namespace: argument 'dispatch': expected union.device (", checks::DeviceCode(union_),
                  "), got ", checks::DeviceCode(dispatch_)});
  }
  const int64_t auto_ = union_.size(0);
  if (dispatch_.size(0) != auto_) {
    checks::fail({"cpp_types::namespace: argument 'dispatch': expected size ", auto_,
                  " at dim 0 (auto, as in union.size(0)), got ", dispatch_.size(0)});
  }
  Tensor out = checks::empty(checks::Shape(auto_), checks::code<checks::ScalarType::Float>(),
                             checks::DeviceCode(union_));
  ::cpp_types::cpu::namespace_(union_, dispatch_, double_, long_, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_types, CPU, m) {
  m.impl("namespace", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_types::generated
