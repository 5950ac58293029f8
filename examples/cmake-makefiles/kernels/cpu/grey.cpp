#include <studio/colours/grey.h>

#include "common/brightness.h"

namespace colours::cpu {

void grey(const Tensor& image, Tensor& out) {
  const int64_t pixels = out.numel();
  const float* red = image.const_data_ptr<float>();
  float* result = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < pixels; ++i) result[i] = brightness(red[i], red[pixels + i], red[2 * pixels + i]);
}

}  // namespace colours::cpu
