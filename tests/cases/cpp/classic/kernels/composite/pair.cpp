#include <cpp_classic_ops/pair.h>

namespace cpp_classic::composite {

std::tuple<std::tuple<int64_t, int64_t>> pair(int64_t n) {
  return std::tuple(std::tuple(n, n + 1));
}

}  // namespace cpp_classic::composite
