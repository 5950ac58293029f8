#include <cpp_contracts/ops/swap.h>

namespace cpp_contracts::cpu {

void swap(Tensor& x, Tensor& y, Tensor& out) {
  for (int64_t i = 0; i < out.size(0); ++i) {
    std::swap(x.mutable_data_ptr<float>()[i], y.mutable_data_ptr<float>()[i]);
    out.mutable_data_ptr<float>()[i] = x.const_data_ptr<float>()[i] + y.const_data_ptr<float>()[i];
  }
}

}  // namespace cpp_contracts::cpu
