#include <kin_ops/gate.h>

#include <algorithm>

namespace kin::cpu {

void gate(Tensor& out, const Tensor& x, Tensor& work) {
  dispatch<dtypes::gate::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    const Rows<const T> rows(x);
    T* result = out.mutable_data_ptr<T>();
    T* right = work.mutable_data_ptr<T>();
    const int64_t d = rows.size() / 2;
    std::fill_n(result, rows.count() * d, T(-7));
    for (int64_t row = 0; row < rows.count(); ++row, result += d) {
      for (int64_t i = 0; i < d; ++i) right[i] = rows[row][(d + i) * rows.stride()];
      for (int64_t i = 0; i < d; ++i) result[i] = rows[row][i * rows.stride()] * right[i];
    }
  });
}

}  // namespace kin::cpu
