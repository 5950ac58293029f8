#include <acme/wide/kernels/scale_.h>

#include "elementwise.h"

namespace wide::cpu {

void scale_(Tensor& self, double factor) {
  dispatch<dtypes::scale_::self>(self, [&](auto dtype) {
    scale_into<typename decltype(dtype)::type>(self, factor, self);
  });
}

}  // namespace wide::cpu
