#include <cpp_contracts/ops/accumulate.h>

namespace cpp_contracts::cpu {

// No overload of a kernel's name, but helpers of other names as one likes.
static void add(const Tensor& total, const Tensor& x) {
  for (int64_t i = 0; i < total.size(0); ++i) {
    total.mutable_data_ptr<float>()[i * total.stride(0)] += x.const_data_ptr<float>()[i * x.stride(0)];
  }
}

void accumulate(Tensor& total, std::optional<Tensor>& count, const Tensor& x, const std::vector<Tensor>& more) {
  add(total, x);
  for (const Tensor& tensor : more) add(total, tensor);
  if (count) {
    for (int64_t i = 0; i < count->size(0); ++i) {
      count->mutable_data_ptr<int64_t>()[i * count->stride(0)] += 1 + static_cast<int64_t>(more.size());
    }
  }
}

}  // namespace cpp_contracts::cpu
