#include <twins_ops/accumulate.h>

#include "pointwise.h"

namespace twins::cpu {

void accumulate(Tensor& x, const Tensor& y) {
  dispatch<dtypes::accumulate::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    pointwise<T>(x, y, x, [](T a, T b) { return a + b; });
  });
}

}  // namespace twins::cpu
