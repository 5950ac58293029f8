#include <rows_ops/clip_.h>

#include <algorithm>

namespace rows::cpu {

void clip_(Tensor& x, double low, double high) {
  dispatch<dtypes::clip_::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<scalar_t> rows(x);
    for (int64_t row = 0; row < rows.count(); ++row) {
      for (int64_t i = 0; i < rows.size(); ++i) {
        scalar_t& element = rows[row][i * rows.stride()];
        element = static_cast<scalar_t>(std::min(std::max(static_cast<double>(element), low), high));
      }
    }
  });
}

}  // namespace rows::cpu
