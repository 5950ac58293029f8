#include <signals_ops/follow_.h>

namespace signals::cpu {

void follow_(Tensor& state, const Tensor& x, double rate) {
  float* values = state.mutable_data_ptr<float>();
  const float* targets = x.const_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) values[i] += static_cast<float>(rate) * (targets[i] - values[i]);
}

}  // namespace signals::cpu
