#include <faulty_ops/blend_out.h>

#include "blend.h"

namespace faulty::cpu {

void blend_out(const Tensor& x, const Tensor& y, double weight, Tensor& out) { blend_any(x, y, weight, out); }

}  // namespace faulty::cpu
