#include <acme/wide/kernels/extremes_out.h>

#include <algorithm>

namespace wide::cpu {

void extremes_out(const Tensor& x, Tensor& low, Tensor& high) {
  dispatch<dtypes::extremes_out::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> rows(x);
    for (int64_t row = 0; row < rows.count(); ++row) {
      const auto [least, most] = std::minmax_element(rows[row], rows[row] + rows.size());
      low.mutable_data_ptr<scalar_t>()[row * low.stride(0)] = *least;
      high.mutable_data_ptr<scalar_t>()[row * high.stride(0)] = *most;
    }
  });
}

}  // namespace wide::cpu
