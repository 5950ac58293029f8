#include <acme/wide/kernels/scale.h>

#include "elementwise.h"

namespace wide::cpu {

void scale(const Tensor& x, double factor, Tensor& out) {
  dispatch<dtypes::scale::x>(x, [&](auto dtype) { scale_into<typename decltype(dtype)::type>(x, factor, out); });
}

}  // namespace wide::cpu
