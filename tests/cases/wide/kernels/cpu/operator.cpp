#include <acme/wide/kernels/operator.h>

#include "elementwise.h"

namespace wide::cpu {

void operator_(const Tensor& double_, const Tensor& this_, const std::optional<Tensor>& /*template_*/, int64_t long_,
               const std::string& /*as_*/, Tensor& out) {
  const float* a = double_.const_data_ptr<float>();
  const float* b = this_.const_data_ptr<float>();
  each<float>(out, [&](int64_t row, int64_t i, float& element) {
    const int64_t size = double_.size(1);
    element = a[row / size * double_.stride(0) + row % size * double_.stride(1)] *
              b[row % size * this_.stride(0) + i * this_.stride(1)] * static_cast<float>(long_);
  });
}

}  // namespace wide::cpu
