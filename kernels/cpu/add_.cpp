#include <nimble_ops/add_.h>

#include "add.h"

namespace nimble::cpu {

void add_(Tensor& x, const Tensor& y) {
  dispatch<dtypes::add_::x>(x, [&](auto dtype) { add<typename decltype(dtype)::type>(x, y, x); });
}

}  // namespace nimble::cpu
