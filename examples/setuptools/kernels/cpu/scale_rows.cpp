#include <rows_ops/scale_rows.h>

namespace rows::cpu {

void scale_rows(const Tensor& x, const Tensor& factors, Tensor& out) {
  dispatch<dtypes::scale_rows::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> from(x);  // whatever the strides
    const scalar_t* factor = factors.const_data_ptr<scalar_t>();
    scalar_t* to = out.mutable_data_ptr<scalar_t>();
    for (int64_t row = 0; row < from.count(); ++row) {
      for (int64_t i = 0; i < from.size(); ++i) {
        *to++ = from[row][i * from.stride()] * factor[row * factors.stride(0)];
      }
    }
  });
}

}  // namespace rows::cpu
