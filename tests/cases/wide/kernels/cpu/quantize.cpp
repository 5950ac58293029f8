#include <acme/wide/kernels/quantize.h>

#include <algorithm>
#include <cmath>

namespace wide::cpu {

void quantize(const Tensor& x, int64_t block, Tensor& q, Tensor& scale) {
  dispatch<dtypes::quantize::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> in(x);
    const Rows<float> scales(scale);
    const Rows<int8_t> result(q);
    for (int64_t row = 0; row < in.count(); ++row) {
      for (int64_t first = 0; first < in.size(); first += block) {
        const int64_t last = std::min(first + block, in.size());
        const auto value = [&](int64_t i) { return static_cast<float>(widen(in[row][i * in.stride()])); };
        float most = 0;
        for (int64_t i = first; i < last; ++i) most = std::max(most, std::abs(value(i)));
        scales[row][first / block] = most / 127;
        for (int64_t i = first; i < last; ++i) {
          result[row][i] = static_cast<int8_t>(most > 0 ? std::nearbyint(value(i) / most * 127) : 0);
        }
      }
    }
  });
}

}  // namespace wide::cpu
