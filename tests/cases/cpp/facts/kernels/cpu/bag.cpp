// Says how long each bag is.
#include <cpp_facts/ops/bag.h>

namespace cpp_facts::cpu {

void bag(const std::vector<Tensor>& /*weights*/, const Tensor& starts, const Tensor& /*total*/, Tensor& out) {
  const int32_t* begins = starts.const_data_ptr<int32_t>();
  float* lengths = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < out.size(0); ++i) {
    lengths[i] = static_cast<float>(begins[(i + 1) * starts.stride(0)] - begins[i * starts.stride(0)]);
  }
}

}  // namespace cpp_facts::cpu
