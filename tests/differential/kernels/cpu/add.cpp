#include <twins_ops/add.h>

#include "pointwise.h"

namespace twins::cpu {

void add(const Tensor& x, const Tensor& y, Tensor& out) {
  dispatch<dtypes::add::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    pointwise<T>(x, y, out, [](T a, T b) { return a + b; });
  });
}

}  // namespace twins::cpu
