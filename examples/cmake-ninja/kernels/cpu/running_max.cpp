#include <signals_ops/running_max.h>

#include <algorithm>

namespace signals::cpu {

void running_max(const Tensor& x, Tensor& out) {
  const int64_t n = x.size(1);
  for (int64_t i = 0; i < x.size(0); ++i) {
    const float* row = x.const_data_ptr<float>() + i * n;
    float* result = out.mutable_data_ptr<float>() + i * n;
    for (int64_t j = 0; j < n; ++j) result[j] = j == 0 ? row[0] : std::max(result[j - 1], row[j]);
  }
}

}  // namespace signals::cpu
