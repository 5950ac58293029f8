#include <acme/wide/kernels/fill.h>

#include <algorithm>

namespace wide::cpu {

void fill(const Tensor& value, const std::vector<int64_t>& /*sizes*/,
          const std::optional<std::vector<int64_t>>& /*trail*/, Tensor& out) {
  dispatch<dtypes::fill::value>(value, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    std::fill_n(out.mutable_data_ptr<scalar_t>(), out.numel(), *value.const_data_ptr<scalar_t>());
  });
}

}  // namespace wide::cpu
