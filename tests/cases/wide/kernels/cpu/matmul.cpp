#include <acme/wide/kernels/matmul.h>

namespace wide::cpu {

void matmul(const Tensor& a, const Tensor& b, std::optional<ScalarType> /*out_dtype*/, Tensor& out) {
  dispatch<dtypes::matmul::a>(a, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    dispatch<Dtypes<float, double>>(out, [&](auto out_dtype) {
      using out_t = typename decltype(out_dtype)::type;
      for (int64_t i = 0; i < out.size(0); ++i) {
        for (int64_t j = 0; j < out.size(1); ++j) {
          const scalar_t* row = a.const_data_ptr<scalar_t>() + i * a.stride(0);
          const scalar_t* column = b.const_data_ptr<scalar_t>() + j * b.stride(1);
          out.mutable_data_ptr<out_t>()[i * out.stride(0) + j * out.stride(1)] = static_cast<out_t>(
              sum_of<double>(a.size(1), [&](int64_t k) { return double(widen(row[k])) * double(widen(column[k])); }));
        }
      }
    });
  });
}

}  // namespace wide::cpu
