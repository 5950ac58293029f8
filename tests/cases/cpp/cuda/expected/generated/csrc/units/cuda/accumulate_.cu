// acme::accumulate_ for the dispatch key CUDA.
//
//   accumulate_(Tensor(a!) x, Tensor[] device_guard) -> Tensor(a!)
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cuda/accumulate_.cu"

// What stands in front of it.
#include <acme/cuda_ops/cuda.h>
#include <acme/cuda_ops/unit.h>

namespace acme::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "acme::accumulate_: the kernel must be void(Tensor& x, const std::vector<Tensor>& device_guard)");
};

template <class Result, class P0, class P1>
struct Kernel<signature::Of<Result, P0, P1>> {
  static_assert(std::is_same_v<Result, void>, "acme::accumulate_: the kernel must return void");
  static_assert(std::is_same_v<P0, Tensor&>,
                "acme::accumulate_: argument 'x' is Tensor(a!) in the schema, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P1, const std::vector<Tensor>&>,
                "acme::accumulate_: argument 'device_guard' is Tensor[] in the schema, so the kernel must take const std::vector<Tensor>&");
};

template struct Kernel<decltype(signature::of(&::acme::cuda::accumulate_))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CUDA kernel of acme::accumulate_(Tensor(a!) x, Tensor[] device_guard) -> Tensor(a!)\000";

void write(Tensor& x, const std::vector<Tensor>& device_guard) {
  const DeviceGuard device_guard_(x, device_guard);
  const checks::Checker check("acme::accumulate_");
  check.rank(x, "x", 1, "[n]");
  check.rank(device_guard, "device_guard", 1, "[n]");
  check.dtype<float>(x, "x");
  check.dtype<float>(device_guard, "device_guard");
  check.same_device(device_guard, "device_guard", x, "x");
  const int64_t n = x.size(0);
  check.size(device_guard, "device_guard", 0, n, "n, as in x.size(0)");
  writes::refuse_overlap("acme::accumulate_", /*same_is_fine=*/false,
                         writes::Operands()
                             .add("x", writes::Role::written, x)
                             .add("device_guard", writes::Role::read, device_guard));
  writes::begin(x);
  if (abi::is_grad_enabled()) {
    writes::refuse_graph("acme::accumulate_", x);
    writes::refuse_grad("acme::accumulate_", device_guard);
  }
  ::acme::cuda::accumulate_(x, device_guard);
}

Tensor call(Tensor& x, const std::vector<Tensor>& device_guard) {
  generated::write(x, device_guard);
  return x;
}

STABLE_TORCH_LIBRARY_IMPL(acme, CUDA, m) {
  records::keep(kRecords);
  m.impl("_accumulate__write", TORCH_BOX(&write));
  m.impl("accumulate_", TORCH_BOX(&call));
}

}  // namespace
}  // namespace acme::generated
