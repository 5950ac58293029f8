#include <nimble_ops/rotary_embedding.h>

#include "indices.h"

namespace nimble::cpu {

void rotary_embedding(const Tensor& positions, Tensor& query, std::optional<Tensor>& key, int64_t head_size, const Tensor& cos_sin_cache, bool is_neox) {
  const std::vector<int64_t> position =
      indices<int64_t>("nimble::rotary_embedding: argument 'positions'", positions, 0, cos_sin_cache.size(0));
  dispatch<dtypes::rotary_embedding::query>(query, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<const scalar_t> angles(cos_sin_cache);
    const int64_t pairs = angles.size() / 2;

    // Element i of a head that is turned is paired with the one at i + `apart`, then comes the pair `step` on.
    const auto turn = [&](scalar_t* head, const acc_t* cos, const acc_t* sin, auto stride, auto step, auto apart) {
      for (int64_t i = 0; i < pairs; ++i) {
        scalar_t& first = head[i * step * stride];
        scalar_t& second = head[(i * step + apart) * stride];
        const acc_t a = widen(first);
        const acc_t b = widen(second);
        first = narrow<scalar_t>(a * cos[i] - b * sin[i]);
        second = narrow<scalar_t>(a * sin[i] + b * cos[i]);
      }
    };
    const auto turn_tensor = [&](const Tensor& tensor) {
      const Rows<scalar_t> rows(tensor);
      const auto turn_part = [&](int64_t begin, int64_t end, auto stride) {
        std::vector<acc_t> row(static_cast<size_t>(2 * pairs));
        const acc_t* cos = row.data();
        const acc_t* sin = cos + pairs;
        for (int64_t token = begin; token < end; ++token) {
          const scalar_t* in = angles[position[static_cast<size_t>(token)]];
          for (int64_t i = 0; i < 2 * pairs; ++i) row[static_cast<size_t>(i)] = widen(in[i * angles.stride()]);
          for (int64_t first = 0; first < rows.size(); first += head_size) {
            scalar_t* head = rows[token] + first * stride;
            if (is_neox) {
              turn(head, cos, sin, stride, std::integral_constant<int64_t, 1>{}, pairs);
            } else {
              turn(head, cos, sin, stride, std::integral_constant<int64_t, 2>{}, std::integral_constant<int64_t, 1>{});
            }
          }
        }
      };
      with_strides(
          [&](auto stride) {
            parallel_for(0, rows.count(), grain_of(rows.size()),
                         [&](int64_t begin, int64_t end) { turn_part(begin, end, stride); });
          },
          rows.stride());
    };
    turn_tensor(query);
    if (key) turn_tensor(*key);
  });
}

}  // namespace nimble::cpu
