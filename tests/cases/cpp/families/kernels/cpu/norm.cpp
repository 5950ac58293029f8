#include <kin_ops/norm.h>

#include <cmath>

namespace kin::cpu {

void norm(const Tensor& x, const Tensor& weight, double eps, Tensor& out) {
  dispatch<dtypes::norm::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    const Rows<const T> rows(x);
    const T* w = weight.const_data_ptr<T>();
    T* result = out.mutable_data_ptr<T>();
    const int64_t hidden = rows.size();
    for (int64_t i = 0; i < rows.count() * hidden; ++i) result[i] = -7;
    for (int64_t row = 0; row < rows.count(); ++row, result += hidden) {
      const auto at = [&](int64_t i) { return rows[row][i * rows.stride()]; };
      T squares = 0;
      for (int64_t i = 0; i < hidden; ++i) squares += at(i) * at(i);
      const T scale = 1 / std::sqrt(squares / static_cast<T>(hidden) + static_cast<T>(eps));
      for (int64_t i = 0; i < hidden; ++i) result[i] = at(i) * scale * w[i * weight.stride(0)];
    }
  });
}

}  // namespace kin::cpu
