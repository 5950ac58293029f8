#include <studio/colours/fade_.h>

#include "common/brightness.h"

namespace colours::cpu {

void fade_(Tensor& image, double amount) {
  const int64_t pixels = image.size(1) * image.size(2);
  float* red = image.mutable_data_ptr<float>();
  for (int64_t i = 0; i < pixels; ++i) {
    const float grey = brightness(red[i], red[pixels + i], red[2 * pixels + i]);
    for (int64_t colour = 0; colour < 3; ++colour) {
      float& value = red[colour * pixels + i];
      value += static_cast<float>(amount) * (grey - value);
    }
  }
}

}  // namespace colours::cpu
