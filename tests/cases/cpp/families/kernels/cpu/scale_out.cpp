#include <kin_ops/scale_out.h>

namespace kin::cpu {

void scale_out(const Tensor& x, double by, Tensor& out) {
  dispatch<dtypes::scale_out::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    const Rows<const T> rows(x);
    T* result = out.mutable_data_ptr<T>();
    for (int64_t row = 0; row < rows.count(); ++row) {
      for (int64_t i = 0; i < rows.size(); ++i) *result++ = rows[row][i * rows.stride()] * static_cast<T>(by);
    }
  });
}

}  // namespace kin::cpu
