#include <nimble_ops/quant_block.h>

#include "quantise.h"

namespace nimble::cpu {

void quant_block(const Tensor& x, int64_t block, Tensor& q, Tensor& scale) {
  dispatch<dtypes::quant_block::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> x_rows(x);
    const Rows<int8_t> q_rows(q);
    const Rows<float> scale_rows(scale);
    const int64_t n = x_rows.size();
    const int64_t blocks = scale_rows.size();

    const auto quantise_row = [&](int64_t row, auto x_stride, auto q_stride, auto scale_stride) {
      for (int64_t i = 0; i < blocks; ++i) {
        const int64_t first = i * block;
        scale_rows[row][i * scale_stride] = quantise(x_rows[row] + first * x_stride, x_stride,
                                                     std::min(block, n - first), q_rows[row] + first * q_stride, q_stride);
      }
    };
    with_strides(
        [&](auto... strides) {
          parallel_for(0, x_rows.count(), grain_of(n), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) quantise_row(row, strides...);
          });
        },
        x_rows.stride(), q_rows.stride(), scale_rows.stride());
  });
}

}  // namespace nimble::cpu
