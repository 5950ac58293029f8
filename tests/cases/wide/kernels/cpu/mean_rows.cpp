#include <acme/wide/kernels/mean_rows.h>

namespace wide::cpu {

void mean_rows(Tensor& out, const Tensor& x, Tensor& workspace) {
  dispatch<dtypes::mean_rows::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> rows(x);
    double* wide = workspace.mutable_data_ptr<double>();
    for (int64_t row = 0; row < rows.count(); ++row) {
      for (int64_t i = 0; i < rows.size(); ++i) wide[row * rows.size() + i] = rows[row][i * rows.stride()];
      const double sum = sum_of<double>(rows.size(), [&](int64_t i) { return wide[row * rows.size() + i]; });
      out.mutable_data_ptr<scalar_t>()[row * out.stride(0)] =
          static_cast<scalar_t>(sum / static_cast<double>(rows.size()));
    }
  });
}

}  // namespace wide::cpu
