#include <acme/wide/kernels/pad.h>

namespace wide::cpu {

void pad(const Tensor& x, const std::vector<int64_t>& pad, double value, Tensor& out) {
  float* result = out.mutable_data_ptr<float>();
  const float* in = x.const_data_ptr<float>();
  for (int64_t b = 0; b < out.size(0); ++b) {
    for (int64_t c = 0; c < out.size(1); ++c) {
      for (int64_t i = 0; i < out.size(2); ++i) {
        for (int64_t j = 0; j < out.size(3); ++j) {
          const int64_t row = i - pad[0];
          const int64_t column = j - pad[1];
          const bool inside = row >= 0 && row < x.size(2) && column >= 0 && column < x.size(3);
          result[b * out.stride(0) + c * out.stride(1) + i * out.stride(2) + j * out.stride(3)] =
              inside ? in[b * x.stride(0) + c * x.stride(1) + row * x.stride(2) + column * x.stride(3)]
                     : static_cast<float>(value);
        }
      }
    }
  }
}

}  // namespace wide::cpu
