#include <nimble_ops/gelu_tanh_and_mul.h>

#include "gate.h"

namespace nimble::cpu {

void gelu_tanh_and_mul(const Tensor& x, Tensor& out) {
  dispatch<dtypes::gelu_tanh_and_mul::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    gate<scalar_t>(x, out, [](accumulate_t<scalar_t> a) {
      // (1 + tanh(u)) / 2 = 1 / (1 + exp(-2u)), with twice the square root of 2 / pi.
      constexpr accumulate_t<scalar_t> kTwice = 1.5957691216057308;
      const auto u = kTwice * (a + static_cast<accumulate_t<scalar_t>>(0.044715) * a * a * a);
      return a / (1 + exponential(-u));
    });
  });
}

}  // namespace nimble::cpu
