#include <nimble_ops/rms_norm.h>

#include <cmath>

#include "in_place.h"

namespace nimble::cpu {

void rms_norm(const Tensor& x, const Tensor& weight, double eps, Tensor& out) {
  dispatch<dtypes::rms_norm::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<const scalar_t> x_rows(x);
    const Rows<scalar_t> out_rows(out);
    const scalar_t* w = weight.const_data_ptr<scalar_t>();
    const int64_t hidden = x_rows.size();

    const auto normalise = [&](int64_t row, auto x_stride, auto w_stride, auto out_stride) {
      scalar_t* result = out_rows[row];
      reading(x_rows[row], result, [&](const auto* in) {
        const auto value = [&](int64_t i) { return widen(in[i * x_stride]); };
        const acc_t squares = sum_of<acc_t>(hidden, [&](int64_t i) { return value(i) * value(i); });
        const acc_t scale = 1 / std::sqrt(squares / static_cast<acc_t>(hidden) + static_cast<acc_t>(eps));
        for (int64_t i = 0; i < hidden; ++i) {
          result[i * out_stride] = narrow<scalar_t>(value(i) * scale * widen(w[i * w_stride]));
        }
      });
    };
    with_strides(
        [&](auto... strides) {
          parallel_for(0, x_rows.count(), grain_of(hidden), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) normalise(row, strides...);
          });
        },
        x_rows.stride(), weight.stride(0), out_rows.stride());
  });
}

}  // namespace nimble::cpu
