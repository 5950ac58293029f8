#include <twins_ops/heaviside.h>

#include "pointwise.h"

namespace twins::cpu {

void heaviside(const Tensor& x, const Tensor& y, Tensor& out) {
  dispatch<dtypes::heaviside::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    pointwise<T>(x, y, out, [](T a, T b) { return a == 0 ? b : static_cast<T>(a > 0); });
  });
}

}  // namespace twins::cpu
