#include <nimble_ops/layer_norm.h>

#include <cmath>

#include "in_place.h"

namespace nimble::cpu {

void layer_norm(const Tensor& x, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, double eps, Tensor& out) {
  dispatch<dtypes::layer_norm::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<const scalar_t> x_rows(x);
    const Rows<scalar_t> out_rows(out);
    const scalar_t* w = weight ? weight->const_data_ptr<scalar_t>() : nullptr;
    const scalar_t* b = bias ? bias->const_data_ptr<scalar_t>() : nullptr;
    const int64_t hidden = x_rows.size();

    const auto normalise = [&](int64_t row, auto x_stride, auto w_stride, auto b_stride, auto out_stride) {
      scalar_t* result = out_rows[row];
      const auto factor = [&](int64_t i) { return widen(w[i * w_stride]); };
      const auto addend = [&](int64_t i) { return widen(b[i * b_stride]); };
      const auto one = [](int64_t) { return acc_t{1}; };
      const auto zero = [](int64_t) { return acc_t{0}; };

      reading(x_rows[row], result, [&](const auto* in) {
        const auto count = static_cast<acc_t>(hidden);
        const auto value = [&](int64_t i) { return widen(in[i * x_stride]); };
        const acc_t mean = sum_of<acc_t>(hidden, value) / count;
        const auto centred = [&](int64_t i) { return value(i) - mean; };
        const acc_t squares = sum_of<acc_t>(hidden, [&](int64_t i) { return centred(i) * centred(i); });
        const acc_t scale = 1 / std::sqrt(squares / count + static_cast<acc_t>(eps));
        const auto write = [&](const auto& times, const auto& plus) {
          for (int64_t i = 0; i < hidden; ++i) {
            result[i * out_stride] = narrow<scalar_t>(centred(i) * scale * times(i) + plus(i));
          }
        };
        if (weight) {
          bias ? write(factor, addend) : write(factor, zero);
        } else {
          bias ? write(one, addend) : write(one, zero);
        }
      });
    };
    with_strides(
        [&](auto... strides) {
          parallel_for(0, x_rows.count(), grain_of(hidden), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) normalise(row, strides...);
          });
        },
        x_rows.stride(), weight ? weight->stride(0) : 1, bias ? bias->stride(0) : 1, out_rows.stride());
  });
}

}  // namespace nimble::cpu
