#include <acme/math/ops/positive.h>

using namespace ::acme;

std::tuple<Tensor, Tensor> positive_of(const Tensor& x) {
  std::vector<int64_t> found;
  const float* value = x.const_data_ptr<float>();
  for (int64_t i = 0; i < x.size(0); ++i) {
    if (value[i * x.stride(0)] > 0) found.push_back(i);
  }
  const auto count = static_cast<int64_t>(found.size());
  Tensor values = empty({count}, ScalarType::Float, x.device());
  Tensor places = empty({count}, ScalarType::Long, x.device());
  for (int64_t i = 0; i < count; ++i) {
    values.mutable_data_ptr<float>()[i] = value[found[i] * x.stride(0)];
    places.mutable_data_ptr<int64_t>()[i] = found[i];
  }
  return {values, places};
}
