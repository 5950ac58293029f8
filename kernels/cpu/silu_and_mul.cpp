#include <nimble_ops/silu_and_mul.h>

#include <cmath>

namespace nimble::cpu {

void silu_and_mul(Tensor& out, const Tensor& x) {
  dispatch<dtypes::silu_and_mul::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<scalar_t> out_rows(out);
    const Rows<const scalar_t> x_rows(x);
    const int64_t d = out_rows.size();

    const auto gate = [&](int64_t row, auto stride) {
      const scalar_t* a = x_rows[row];
      const scalar_t* b = a + d * stride;
      scalar_t* result = out_rows[row];
      for (int64_t i = 0; i < d; ++i) {
        const auto value = static_cast<acc_t>(a[i * stride]);
        result[i] = static_cast<scalar_t>(value / (1 + std::exp(-value)) * static_cast<acc_t>(b[i * stride]));
      }
    };
    with_strides(
        [&](auto stride) {
          parallel_for(0, x_rows.count(), grain_of(2 * d), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) gate(row, stride);
          });
        },
        x_rows.stride());
  });
}

}  // namespace nimble::cpu
