#include <faulty_ops/largest.h>

#include "faults.h"

namespace faulty::cpu {

std::tuple<Tensor, std::optional<Tensor>> largest(const Tensor& x, bool want_place) {
  const float* in = x.const_data_ptr<float>();
  int64_t best = 0;
  for (int64_t i = 1; i < x.size(0); ++i) {
    if (in[i * x.stride(0)] > in[best * x.stride(0)]) best = i;
  }
  Tensor value = empty({}, ScalarType::Float, x.device());
  value.mutable_data_ptr<float>()[0] = in[best * x.stride(0)];
  if (!want_place) return {value, has("returns an undefined tensor") ? std::optional<Tensor>(Tensor()) : std::nullopt};
  Tensor place = empty({}, ScalarType::Long, x.device());
  place.mutable_data_ptr<int64_t>()[0] = best;
  return {value, place};
}

}  // namespace faulty::cpu
