#include <nimble_ops/pad_to_multiple.h>

#include <algorithm>

namespace nimble::cpu {

void pad_to_multiple(const Tensor& x, int64_t /*multiple*/, Tensor& out) {
  dispatch<dtypes::pad_to_multiple::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> x_rows(x);
    const Rows<scalar_t> out_rows(out);
    const int64_t n = x_rows.size();
    const int64_t padded = out_rows.size();
    with_strides(
        [&](auto stride) {
          parallel_for(0, x_rows.count(), grain_of(padded), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) {
              const scalar_t* in = x_rows[row];
              scalar_t* result = out_rows[row];
              for (int64_t i = 0; i < n; ++i) result[i] = in[i * stride];
              std::fill(result + n, result + padded, scalar_t(0));
            }
          });
        },
        x_rows.stride());
  });
}

}  // namespace nimble::cpu
