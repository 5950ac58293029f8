// cpp_contracts::accumulate for the dispatch key CPU.
//
//   accumulate(Tensor(a!) total, Tensor(b!)? count, Tensor x, *, Tensor[] more) -> ()
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/accumulate.cpp"

#include <cpp_contracts/ops/unit.h>

namespace cpp_contracts::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_contracts::accumulate: the kernel must be void(Tensor& total, std::optional<Tensor>& count, const Tensor& x, const std::vector<Tensor>& more)");
};

template <class Result, class P0, class P1, class P2, class P3>
struct Kernel<signature::Of<Result, P0, P1, P2, P3>> {
  static_assert(std::is_same_v<Result, void>, "cpp_contracts::accumulate: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "cpp_contracts::accumulate: argument 'total' is Tensor(a!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, std::optional<Tensor>&>,
                "cpp_contracts::accumulate: argument 'count' is Tensor(b!)? in the schema, so the kernel must take std::optional<Tensor>&");
  static_assert(std::is_same_v<P2, const Tensor&>,
                "cpp_contracts::accumulate: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P3, const std::vector<Tensor>&>,
                "cpp_contracts::accumulate: argument 'more' is Tensor[] in the schema, so the kernel must take const std::vector<Tensor>&");
};

template struct Kernel<decltype(signature::of(&::cpp_contracts::cpu::accumulate))>;

void call(Tensor& total, std::optional<Tensor>& count, const Tensor& x, const std::vector<Tensor>& more) {
  if (total.dim() != 1) {
    checks::fail({"cpp_contracts::accumulate: argument 'total': expected 1 dim [n], got a ", total.dim(),
                  "-dim tensor of shape ", total.sizes()});
  }
  if (count.has_value()) {
    if (count->dim() != 1) {
      checks::fail({"cpp_contracts::accumulate: argument 'count': expected 1 dim [n], got a ", count->dim(),
                    "-dim tensor of shape ", count->sizes()});
    }
  }
  if (x.dim() != 1) {
    checks::fail({"cpp_contracts::accumulate: argument 'x': expected 1 dim [n], got a ", x.dim(),
                  "-dim tensor of shape ", x.sizes()});
  }
  for (int64_t index = 0; index < checks::length(more); ++index) {
    const auto& element = checks::at(more, index);
    if (element.dim() != 1) {
      checks::fail({"cpp_contracts::accumulate: argument 'more[", index, "]': expected 1 dim [n], got a ",
                    element.dim(), "-dim tensor of shape ", element.sizes()});
    }
  }
  if (!checks::has_dtype<checks::ScalarType::Float>(total)) {
    checks::fail({"cpp_contracts::accumulate: argument 'total': expected float32, got ", checks::DtypeCode(total)});
  }
  if (count.has_value()) {
    if (!checks::has_dtype<checks::ScalarType::Long>(*count)) {
      checks::fail({"cpp_contracts::accumulate: argument 'count': expected int64, got ", checks::DtypeCode(*count)});
    }
  }
  if (!checks::has_dtype<checks::ScalarType::Float>(x)) {
    checks::fail({"cpp_contracts::accumulate: argument 'x': expected float32, got ", checks::DtypeCode(x)});
  }
  for (int64_t index = 0; index < checks::length(more); ++index) {
    const auto& element = checks::at(more, index);
    if (!checks::has_dtype<checks::ScalarType::Float>(element)) {
      checks::fail({"cpp_contracts::accumulate: argument 'more[", index, "]': expected float32, got ",
                    checks::DtypeCode(element)});
    }
  }
  if (count.has_value()) {
    if (checks::DeviceCode(*count) != checks::DeviceCode(total)) {
      checks::fail({"cpp_contracts::accumulate: argument 'count': expected total.device (", checks::DeviceCode(total),
                    "), got ", checks::DeviceCode(*count)});
    }
  }
  if (checks::DeviceCode(x) != checks::DeviceCode(total)) {
    checks::fail({"cpp_contracts::accumulate: argument 'x': expected total.device (", checks::DeviceCode(total),
                  "), got ", checks::DeviceCode(x)});
  }
  for (int64_t index = 0; index < checks::length(more); ++index) {
    const auto& element = checks::at(more, index);
    if (checks::DeviceCode(element) != checks::DeviceCode(total)) {
      checks::fail({"cpp_contracts::accumulate: argument 'more[", index, "]': expected total.device (",
                    checks::DeviceCode(total), "), got ", checks::DeviceCode(element)});
    }
  }
  const int64_t n = total.size(0);
  if (count.has_value()) {
    if (count->size(0) != n) {
      checks::fail({"cpp_contracts::accumulate: argument 'count': expected size ", n,
                    " at dim 0 (n, as in total.size(0)), got ", count->size(0)});
    }
  }
  if (x.size(0) != n) {
    checks::fail({"cpp_contracts::accumulate: argument 'x': expected size ", n,
                  " at dim 0 (n, as in total.size(0)), got ", x.size(0)});
  }
  for (int64_t index = 0; index < checks::length(more); ++index) {
    const auto& element = checks::at(more, index);
    if (element.size(0) != n) {
      checks::fail({"cpp_contracts::accumulate: argument 'more[", index, "]': expected size ", n,
                    " at dim 0 (n, as in total.size(0)), got ", element.size(0)});
    }
  }
  if (!(n > 0)) {
    checks::fail({"cpp_contracts::accumulate: expected n > 0, got n = total.size(0) = ", n});
  }
  writes::refuse_overlap("cpp_contracts::accumulate", /*same_is_fine=*/false,
                         {
                             {"total", writes::Role::written, total},
                             {"count", writes::Role::written, count},
                             {"x", writes::Role::read, x},
                         });
  writes::begin(total);
  writes::begin(count);
  if (aoti_torch_grad_mode_is_enabled()) {
    writes::refuse_graph("cpp_contracts::accumulate", total);
    writes::refuse_graph("cpp_contracts::accumulate", count);
    writes::refuse_grad("cpp_contracts::accumulate", x);
    writes::refuse_grad("cpp_contracts::accumulate", more);
  }
  ::cpp_contracts::cpu::accumulate(total, count, x, more);
}

STABLE_TORCH_LIBRARY_IMPL(cpp_contracts, CPU, m) {
  m.impl("accumulate", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_contracts::generated
