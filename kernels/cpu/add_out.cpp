#include <nimble_ops/add_out.h>

#include "add.h"

namespace nimble::cpu {

void add_out(const Tensor& x, const Tensor& y, Tensor& out) {
  dispatch<dtypes::add_out::x>(x, [&](auto dtype) { add<typename decltype(dtype)::type>(x, y, out); });
}

}  // namespace nimble::cpu
