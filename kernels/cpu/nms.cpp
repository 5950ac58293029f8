#include <nimble_ops/nms.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nimble::cpu {

Tensor nms(const Tensor& boxes, const Tensor& scores, double iou_threshold) {
  std::vector<int64_t> kept;
  dispatch<dtypes::nms::boxes>(boxes, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const auto n = static_cast<size_t>(scores.size(0));
    const scalar_t* score = scores.const_data_ptr<scalar_t>();
    const int64_t score_stride = scores.stride(0);
    // A strict order whatever the values: NaN counts as the largest, as in torch.sort.
    const auto before = [&](int64_t a, int64_t b) {
      const scalar_t x = score[a * score_stride];
      const scalar_t y = score[b * score_stride];
      return std::isnan(x) ? !std::isnan(y) : x > y;
    };
    std::vector<int64_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), before);

    // By falling score, a vector for each coordinate, so that one box is compared with many at once.
    std::vector<scalar_t> x1(n), y1(n), x2(n), y2(n), area(n);
    const Rows<const scalar_t> rows(boxes);
    for (size_t i = 0; i < n; ++i) {
      const scalar_t* box = rows[order[i]];
      x1[i] = box[0];
      y1[i] = box[rows.stride()];
      x2[i] = box[2 * rows.stride()];
      y2[i] = box[3 * rows.stride()];
      area[i] = (x2[i] - x1[i]) * (y2[i] - y1[i]);
    }

    // As wide as an element, for vector instructions.
    using flag_t = std::conditional_t<sizeof(scalar_t) == 8, int64_t, int32_t>;
    std::vector<flag_t> dropped(n, 0);
    const auto threshold = static_cast<scalar_t>(iou_threshold);
    for (size_t i = 0; i < n; ++i) {
      if (dropped[i]) continue;
      kept.push_back(order[i]);
      const scalar_t left = x1[i], top = y1[i], right = x2[i], bottom = y2[i], own_area = area[i];
      const auto drop = [&](int64_t begin, int64_t end) {
        for (auto j = static_cast<size_t>(begin); j < static_cast<size_t>(end); ++j) {
          const scalar_t width = std::min(right, x2[j]) - std::max(left, x1[j]);
          const scalar_t height = std::min(bottom, y2[j]) - std::max(top, y1[j]);
          const scalar_t intersection = std::max(width, scalar_t{0}) * std::max(height, scalar_t{0});
          dropped[j] |= intersection / (own_area + area[j] - intersection) > threshold;
        }
      };
      parallel_for(static_cast<int64_t>(i) + 1, static_cast<int64_t>(n), grain_of(5), drop);
    }
  });
  Tensor result = empty({static_cast<int64_t>(kept.size())}, ScalarType::Long, boxes.device());
  std::copy(kept.begin(), kept.end(), result.mutable_data_ptr<int64_t>());
  return result;
}

}  // namespace nimble::cpu
