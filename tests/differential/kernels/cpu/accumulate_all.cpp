#include <twins_ops/accumulate_all.h>

#include "pointwise.h"

namespace twins::cpu {

void accumulate_all(std::vector<Tensor>& xs, const std::vector<Tensor>& ys) {
  if (xs.empty()) return;
  dispatch<dtypes::accumulate_all::xs>(xs.front(), [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    for (size_t i = 0; i < xs.size(); ++i) pointwise<T>(xs[i], ys[i], xs[i], [](T a, T b) { return a + b; });
  });
}

}  // namespace twins::cpu
