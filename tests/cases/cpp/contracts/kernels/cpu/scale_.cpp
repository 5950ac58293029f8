#include <cpp_contracts/ops/scale_.h>

namespace cpp_contracts::cpu {

void scale_(Tensor& x, double factor) {
  dispatch<dtypes::scale_::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<scalar_t> rows(x);
    for (int64_t row = 0; row < rows.count(); ++row) {
      for (int64_t i = 0; i < rows.size(); ++i) {
        scalar_t& value = rows[row][i * rows.stride()];
        value = static_cast<scalar_t>(static_cast<accumulate_t<scalar_t>>(value) *
                                      static_cast<accumulate_t<scalar_t>>(factor));
      }
    }
  });
}

}  // namespace cpp_contracts::cpu
