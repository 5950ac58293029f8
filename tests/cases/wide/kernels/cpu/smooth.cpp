#include <acme/wide/kernels/smooth.h>

#include "elementwise.h"

namespace wide::cpu {

void smooth(const Tensor& x, std::optional<Tensor>& state, const std::optional<Tensor>& bias, double decay,
            Tensor& out) {
  dispatch<dtypes::smooth::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> in(x);
    each<scalar_t>(out, [&](int64_t row, int64_t i, scalar_t& element) {
      element = in[row][i * in.stride()];
      if (!state) return;
      scalar_t& last = state->mutable_data_ptr<scalar_t>()[i * state->stride(0)];
      last = static_cast<scalar_t>(decay) * last + static_cast<scalar_t>(1 - decay) * element;
      element = last + (bias ? bias->const_data_ptr<scalar_t>()[i * bias->stride(0)] : scalar_t(0));
    });
  });
}

}  // namespace wide::cpu
