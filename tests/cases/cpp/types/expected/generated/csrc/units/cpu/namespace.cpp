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

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_types::namespace(Tensor union, Tensor dispatch, int double, int long=1) -> Tensor\000";

Tensor call(const Tensor& union_, const Tensor& dispatch_, int64_t double_, int64_t long_) {
  const checks::Checker check("cpp_types::namespace");
  check.rank(union_, "union", 1, "[auto]");
  check.rank(dispatch_, "dispatch", 1, "[auto]");
  check.dtype<float>(union_, "union");
  check.dtype<float, double>(dispatch_, "dispatch");
  check.same_device(dispatch_, "dispatch", union_, "union");
  const int64_t auto_ = union_.size(0);
  check.size(dispatch_, "dispatch", 0, auto_, "auto, as in union.size(0)");
  Tensor out = checks::empty(checks::Shape(auto_), checks::code<checks::ScalarType::Float>(),
                             checks::DeviceCode(union_));
  ::cpp_types::cpu::namespace_(union_, dispatch_, double_, long_, out);
  return out;
}

STABLE_TORCH_LIBRARY_IMPL(cpp_types, CPU, m) {
  records::keep(kRecords);
  m.impl("namespace", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_types::generated
