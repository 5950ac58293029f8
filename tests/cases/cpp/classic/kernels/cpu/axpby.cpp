#include <cpp_classic_ops/axpby.h>

#include <ATen/ops/add.h>
#include <ATen/ops/mul.h>

namespace cpp_classic::cpu {

// A kernel for the classic ABI may use all of ATen.
void axpby(const Tensor& x, const Tensor& y, const Scalar& alpha, const std::optional<Scalar>& beta, Tensor& out) {
  out.copy_(at::add(at::mul(x, alpha), beta ? at::mul(y, *beta) : y));
}

}  // namespace cpp_classic::cpu
