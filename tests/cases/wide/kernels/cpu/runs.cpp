#include <acme/wide/kernels/runs.h>

#include <algorithm>

namespace wide::cpu {

std::tuple<Tensor, Tensor> runs(const Tensor& x, Tensor& total) {
  const Rows<const int32_t> in(x);
  std::vector<int32_t> values;
  std::vector<int64_t> counts;
  for (int64_t i = 0; i < in.size(); ++i) {
    const int32_t value = in[0][i * in.stride()];
    if (values.empty() || values.back() != value) {
      values.push_back(value);
      counts.push_back(0);
    }
    ++counts.back();
  }
  const auto size = static_cast<int64_t>(values.size());
  *total.mutable_data_ptr<int64_t>() = size;
  std::tuple<Tensor, Tensor> found{empty({size}, ScalarType::Int, x.device()),
                                   empty({size}, ScalarType::Long, x.device())};
  std::copy(values.begin(), values.end(), std::get<0>(found).mutable_data_ptr<int32_t>());
  std::copy(counts.begin(), counts.end(), std::get<1>(found).mutable_data_ptr<int64_t>());
  return found;
}

}  // namespace wide::cpu
