#include <acme/wide/kernels/scale_out.h>

#include "elementwise.h"

namespace wide::cpu {

void scale_out(const Tensor& x, double factor, Tensor& out) {
  dispatch<dtypes::scale_out::x>(x, [&](auto dtype) { scale_into<typename decltype(dtype)::type>(x, factor, out); });
}

}  // namespace wide::cpu
