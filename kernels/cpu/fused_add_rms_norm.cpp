#include <nimble_ops/fused_add_rms_norm.h>

#include <cmath>

namespace nimble::cpu {

void fused_add_rms_norm(Tensor& x, Tensor& residual, const Tensor& weight, double eps) {
  dispatch<dtypes::fused_add_rms_norm::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<scalar_t> x_rows(x);
    const Rows<scalar_t> residual_rows(residual);
    const scalar_t* w = weight.const_data_ptr<scalar_t>();
    const int64_t hidden = x_rows.size();

    const auto step = [&](int64_t row, auto x_stride, auto residual_stride, auto w_stride) {
      scalar_t* result = x_rows[row];
      scalar_t* total = residual_rows[row];
      // What is normalised is the residual as the next layer will read it: rounded to its dtype.
      for (int64_t i = 0; i < hidden; ++i) {
        total[i * residual_stride] =
            narrow<scalar_t>(widen(total[i * residual_stride]) + widen(result[i * x_stride]));
      }
      const auto value = [&](int64_t i) { return widen(total[i * residual_stride]); };
      const acc_t squares = sum_of<acc_t>(hidden, [&](int64_t i) { return value(i) * value(i); });
      const acc_t scale = 1 / std::sqrt(squares / static_cast<acc_t>(hidden) + static_cast<acc_t>(eps));
      for (int64_t i = 0; i < hidden; ++i) {
        result[i * x_stride] = narrow<scalar_t>(value(i) * scale * widen(w[i * w_stride]));
      }
    };
    with_strides(
        [&](auto... strides) {
          parallel_for(0, x_rows.count(), grain_of(hidden), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) step(row, strides...);
          });
        },
        x_rows.stride(), residual_rows.stride(), weight.stride(0));
  });
}

}  // namespace nimble::cpu
