#include <kin_ops/mean_of.h>

namespace kin::cpu {

void mean_of(const std::vector<Tensor>& xs, const std::optional<Tensor>& weight, Tensor& out) {
  dispatch<dtypes::mean_of::xs>(out, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    T* result = out.mutable_data_ptr<T>();
    for (int64_t i = 0; i < out.size(0); ++i) result[i] = 0;
    for (const Tensor& x : xs) {
      for (int64_t i = 0; i < out.size(0); ++i) result[i] += x.const_data_ptr<T>()[i * x.stride(0)];
    }
    for (int64_t i = 0; i < out.size(0); ++i) {
      result[i] /= static_cast<T>(xs.size());
      if (weight) result[i] *= weight->const_data_ptr<T>()[i * weight->stride(0)];
    }
  });
}

}  // namespace kin::cpu
