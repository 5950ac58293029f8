#include <cpp_classic_ops/twice.h>

namespace cpp_classic::cpu {

void twice(const Tensor& x, Tensor& out) {
  const Rows<const float> in(x);
  for (int64_t i = 0; i < in.size(); ++i) out.mutable_data_ptr<float>()[i] = 2 * in[0][i * in.stride()];
}

}  // namespace cpp_classic::cpu
