#include <cpp_contracts/ops/positive.h>

namespace cpp_contracts::cpu {

Tensor positive(const Tensor& x, Tensor& total) {
  const float* values = x.const_data_ptr<float>();
  std::vector<int64_t> found;
  float sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) {
    if (values[i * x.stride(0)] <= 0) continue;
    found.push_back(i);
    sum += values[i * x.stride(0)];
  }
  *total.mutable_data_ptr<float>() = sum;
  Tensor places = empty({static_cast<int64_t>(found.size())}, ScalarType::Long, x.device());
  std::copy(found.begin(), found.end(), places.mutable_data_ptr<int64_t>());
  return places;
}

}  // namespace cpp_contracts::cpu
