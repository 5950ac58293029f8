#include <nimble_ops/rms_norm_backward.h>

#include <cmath>

namespace nimble::cpu {

void rms_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& weight, double eps, Tensor& dx, Tensor& dweight) {
  dispatch<dtypes::rms_norm_backward::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<const scalar_t> grad_rows(grad);
    const Rows<const scalar_t> x_rows(x);
    const Rows<scalar_t> dx_rows(dx);
    const scalar_t* w = weight.const_data_ptr<scalar_t>();
    scalar_t* dw = dweight.mutable_data_ptr<scalar_t>();
    const int64_t hidden = x_rows.size();
    std::vector<acc_t> scales(static_cast<size_t>(x_rows.count()));

    const auto differentiate = [&](int64_t row, auto grad_stride, auto x_stride, auto w_stride) {
      const scalar_t* g = grad_rows[row];
      const scalar_t* in = x_rows[row];
      scalar_t* result = dx_rows[row];
      const auto value = [&](int64_t i) { return widen(in[i * x_stride]); };
      const auto weighted = [&](int64_t i) { return widen(g[i * grad_stride]) * widen(w[i * w_stride]); };
      const acc_t squares = sum_of<acc_t>(hidden, [&](int64_t i) { return value(i) * value(i); });
      const acc_t products = sum_of<acc_t>(hidden, [&](int64_t i) { return weighted(i) * value(i); });
      const acc_t scale = 1 / std::sqrt(squares / static_cast<acc_t>(hidden) + static_cast<acc_t>(eps));
      const acc_t along = scale * scale * products / static_cast<acc_t>(hidden);
      for (int64_t i = 0; i < hidden; ++i) result[i] = narrow<scalar_t>(scale * (weighted(i) - value(i) * along));
      scales[static_cast<size_t>(row)] = scale;
    };
    with_strides(
        [&](auto... strides) {
          parallel_for(0, x_rows.count(), grain_of(2 * hidden), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) differentiate(row, strides...);
          });
        },
        grad_rows.stride(), x_rows.stride(), weight.stride(0));

    // A thread takes some of the columns, so that none is summed by two of them.
    parallel_for(0, hidden, grain_of(2 * x_rows.count()), [&](int64_t begin, int64_t end) {
      std::vector<acc_t> sums(static_cast<size_t>(end - begin), acc_t(0));
      for (int64_t row = 0; row < x_rows.count(); ++row) {
        const scalar_t* g = grad_rows[row] + begin * grad_rows.stride();
        const scalar_t* in = x_rows[row] + begin * x_rows.stride();
        const acc_t scale = scales[static_cast<size_t>(row)];
        for (size_t i = 0; i < sums.size(); ++i) {
          const auto at = static_cast<int64_t>(i);
          sums[i] += widen(g[at * grad_rows.stride()]) * widen(in[at * x_rows.stride()]) * scale;
        }
      }
      for (size_t i = 0; i < sums.size(); ++i) dw[begin + static_cast<int64_t>(i)] = narrow<scalar_t>(sums[i]);
    });
  });
}

}  // namespace nimble::cpu
