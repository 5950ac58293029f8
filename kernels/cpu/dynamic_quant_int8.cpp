#include <nimble_ops/dynamic_quant_int8.h>

#include "quantise.h"

namespace nimble::cpu {

void dynamic_quant_int8(const Tensor& x, Tensor& q, Tensor& scale) {
  dispatch<dtypes::dynamic_quant_int8::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> x_rows(x);
    const Rows<int8_t> q_rows(q);
    const Rows<float> scale_rows(scale);
    const int64_t n = x_rows.size();
    with_strides(
        [&](auto x_stride, auto q_stride) {
          parallel_for(0, x_rows.count(), grain_of(n), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) {
              *scale_rows[row] = quantise(x_rows[row], x_stride, n, q_rows[row], q_stride);
            }
          });
        },
        x_rows.stride(), q_rows.stride());
  });
}

}  // namespace nimble::cpu
