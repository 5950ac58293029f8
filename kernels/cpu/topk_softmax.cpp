#include <nimble_ops/topk_softmax.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nimble::cpu {

void topk_softmax(const Tensor& logits, int64_t k, Tensor& weights, Tensor& ids) {
  dispatch<dtypes::topk_softmax::logits>(logits, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<const scalar_t> rows(logits);
    const Rows<float> weight_rows(weights);
    const Rows<int32_t> id_rows(ids);
    const int64_t experts = rows.size();
    const int64_t stride = rows.stride();

    parallel_for(0, rows.count(), grain_of(experts), [&](int64_t begin, int64_t end) {
      std::vector<int32_t> order(static_cast<size_t>(experts));
      for (int64_t row = begin; row < end; ++row) {
        const scalar_t* in = rows[row];
        const auto logit = [&](int64_t expert) { return widen(in[expert * stride]); };
        // A strict order whatever the values: NaN, which no number beats, comes first, as in torch.sort.
        const auto before = [&](int32_t a, int32_t b) {
          const acc_t x = logit(a);
          const acc_t y = logit(b);
          if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && (!std::isnan(y) || a < b);
          return x > y || (x == y && a < b);
        };
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + k, order.end(), before);

        const acc_t largest = logit(order[0]);
        const acc_t sum = sum_of<acc_t>(experts, [&](int64_t expert) { return std::exp(logit(expert) - largest); });
        for (int64_t i = 0; i < k; ++i) {
          const int32_t expert = order[static_cast<size_t>(i)];
          id_rows[row][i] = expert;
          weight_rows[row][i] = static_cast<float>(std::exp(logit(expert) - largest) / sum);
        }
      }
    });
  });
}

}  // namespace nimble::cpu
