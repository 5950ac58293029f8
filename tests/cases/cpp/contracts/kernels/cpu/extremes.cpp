#include <cpp_contracts/ops/extremes.h>

namespace cpp_contracts::cpu {

void extremes(const Tensor& x, Tensor& low, Tensor& place) {
  dispatch<dtypes::extremes::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> rows(x);
    parallel_for(0, rows.count(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        int64_t best = 0;
        for (int64_t i = 1; i < rows.size(); ++i) {
          if (rows[row][i * rows.stride()] < rows[row][best * rows.stride()]) best = i;
        }
        const scalar_t value = rows[row][best * rows.stride()];
        if (value < -1000) throw std::runtime_error("too low in row " + std::to_string(row));
        low.mutable_data_ptr<scalar_t>()[row] = value;
        place.mutable_data_ptr<int64_t>()[row] = best;
      }
    });
  });
}

}  // namespace cpp_contracts::cpu
