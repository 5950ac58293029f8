#include <acme/wide/kernels/bags.h>

#include <algorithm>

#include "elementwise.h"

namespace wide::cpu {

void bags(const Tensor& rows, const Tensor& ids, const Tensor& starts, const std::string& mode,
          const std::optional<Tensor>& weights, bool /*last*/, Tensor& out) {
  dispatch<dtypes::bags::rows>(rows, [&](auto rows_dtype) {
    using rows_t = typename decltype(rows_dtype)::type;
    dispatch<dtypes::bags::ids>(ids, [&](auto ids_dtype) {
      using ids_t = typename decltype(ids_dtype)::type;
      const auto start_of = [&](int64_t bag) {
        return bag < starts.size(0) ? static_cast<int64_t>(starts.const_data_ptr<ids_t>()[bag * starts.stride(0)])
                                    : ids.size(0);
      };
      each<rows_t>(out, [&](int64_t bag, int64_t i, rows_t& element) {
        rows_t sum = 0;
        for (int64_t place = start_of(bag); place < start_of(bag + 1); ++place) {
          const int64_t row = ids.const_data_ptr<ids_t>()[place * ids.stride(0)];
          const rows_t value = rows.const_data_ptr<rows_t>()[row * rows.stride(0) + i * rows.stride(1)];
          sum += weights ? weights->const_data_ptr<rows_t>()[place * weights->stride(0)] * value : value;
        }
        const int64_t count = std::max<int64_t>(start_of(bag + 1) - start_of(bag), 1);
        element = mode == "mean" ? sum / static_cast<rows_t>(count) : sum;
      });
    });
  });
}

}  // namespace wide::cpu
