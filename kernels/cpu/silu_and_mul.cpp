#include <nimble_ops/silu_and_mul.h>

#include "gate.h"

namespace nimble::cpu {

void silu_and_mul(Tensor& out, const Tensor& x) {
  dispatch<dtypes::silu_and_mul::x>(x, [&](auto dtype) {
    gate<typename decltype(dtype)::type>(x, out, [](auto a) { return a / (1 + exponential(-a)); });
  });
}

}  // namespace nimble::cpu
