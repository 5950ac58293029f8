#include <cpp_classic_ops/noise_.h>

namespace cpp_classic::cpu {

void noise_(Tensor& x, const std::optional<Generator>& generator) {
  x.uniform_(0, 1, generator);
}

}  // namespace cpp_classic::cpu
