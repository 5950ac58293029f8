// The CompositeExplicitAutograd kernel of cpp_classic::pair. opgen wrote this file once; from now on it is yours.
#include <cpp_classic_ops/pair.h>

namespace cpp_classic::composite {

std::tuple<std::tuple<int64_t, int64_t>> pair(int64_t n) {
  // What it computes goes here.
  kernel_not_written("cpp_classic::pair", "kernels/composite/pair.cpp", n);
}

}  // namespace cpp_classic::composite
