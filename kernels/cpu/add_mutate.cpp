#include <nimble_ops/add_mutate.h>

#include "add.h"

namespace nimble::cpu {

void add_mutate(Tensor& x, const Tensor& y) {
  dispatch<dtypes::add_mutate::x>(x, [&](auto dtype) { add<typename decltype(dtype)::type>(x, y, x); });
}

}  // namespace nimble::cpu
