#include <nimble_ops/weighted_sum.h>

#include <array>

#include "pieces.h"

namespace nimble::cpu {

void weighted_sum(const std::vector<Tensor>& xs, const std::vector<double>& weights, Tensor& out) {
  dispatch<dtypes::weighted_sum::xs>(xs[0], [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    constexpr int64_t kPiece = 1024;  // small enough for the sums to stay in the first cache
    const Rows<scalar_t> out_rows(out);
    const std::vector<Rows<const scalar_t>> x_rows(xs.begin(), xs.end());
    const bool flat = std::all_of(xs.begin(), xs.end(), [](const Tensor& x) { return x.is_contiguous(); });
    const int64_t size = flat ? out.numel() : out_rows.size();

    parallel_for(0, out.numel(), grain_of(static_cast<int64_t>(xs.size())), [&](int64_t begin, int64_t end) {
      std::array<acc_t, kPiece> sums;
      for_pieces(begin, end, size, kPiece, [&](int64_t row, int64_t first, int64_t count) {
        for (int64_t i = 0; i < count; ++i) sums[static_cast<size_t>(i)] = 0;
        for (size_t k = 0; k < xs.size(); ++k) {
          const acc_t weight = static_cast<acc_t>(weights[k]);
          with_strides(
              [&](auto stride) {
                const scalar_t* in = x_rows[k][row] + first * stride;
                for (int64_t i = 0; i < count; ++i) sums[static_cast<size_t>(i)] += weight * widen(in[i * stride]);
              },
              x_rows[k].stride());
        }
        scalar_t* result = out_rows[row] + first;
        for (int64_t i = 0; i < count; ++i) result[i] = narrow<scalar_t>(sums[static_cast<size_t>(i)]);
      });
    });
  });
}

}  // namespace nimble::cpu
