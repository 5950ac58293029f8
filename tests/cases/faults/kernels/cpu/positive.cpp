#include <faulty_ops/positive.h>

#include <vector>

#include "faults.h"

namespace faulty::cpu {

Tensor positive(const Tensor& x) {
  if (has("returns an argument")) return x;
  const float* in = x.const_data_ptr<float>();
  std::vector<int64_t> found;
  for (int64_t row = 0; row < x.size(0); ++row) {
    if (in[row * x.stride(0)] > 0) found.push_back(row);
  }
  const auto count = static_cast<int64_t>(found.size());
  const auto dtype = has("returns another dtype") ? ScalarType::Int : ScalarType::Float;
  Tensor out = empty({count, 2}, dtype, x.device());
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t i = 0; i < 2; ++i) {
      const float value = in[found[row] * x.stride(0) + i * x.stride(1)];
      if (dtype == ScalarType::Int) out.mutable_data_ptr<int32_t>()[2 * row + i] = static_cast<int32_t>(value);
      if (dtype == ScalarType::Float) out.mutable_data_ptr<float>()[2 * row + i] = value;
    }
  }
  return out;
}

}  // namespace faulty::cpu
