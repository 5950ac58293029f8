#include <twins_ops/sort.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace twins::cpu {

void sort(const Tensor& x, Tensor& values, Tensor& indices) {
  dispatch<dtypes::sort::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    const Rows<const T> from(x);
    const Rows<T> sorted(values);
    const Rows<int64_t> places(indices);
    std::vector<int64_t> order(static_cast<size_t>(from.size()));
    for (int64_t row = 0; row < from.count(); ++row) {
      const auto at = [&](int64_t i) { return from[row][i * from.stride()]; };
      std::iota(order.begin(), order.end(), int64_t{0});
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return at(a) < at(b); });
      for (int64_t i = 0; i < from.size(); ++i) {
        places[row][i * places.stride()] = order[static_cast<size_t>(i)];
        sorted[row][i * sorted.stride()] = at(order[static_cast<size_t>(i)]);
      }
    }
  });
}

}  // namespace twins::cpu
