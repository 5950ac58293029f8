// Negates; input and output are laid out alike, unless the input has gaps.
#include <cpp_facts/ops/negate.h>

namespace cpp_facts::cpu {

void negate(const Tensor& x, Tensor& out) {
  const Rows<const float> from(x);
  const Rows<float> to(out);
  for (int64_t i = 0; i < to.count(); ++i) {
    for (int64_t j = 0; j < to.size(); ++j) to[i][j * to.stride()] = -from[i][j * from.stride()];
  }
}

}  // namespace cpp_facts::cpu
