#include <acme/wide/kernels/union.h>

#include "elementwise.h"

namespace wide::cpu {

void union_(const Tensor& self, const Tensor& op, const Tensor& x_, const Tensor& out, int64_t checks, int64_t len,
            int64_t torch_, int64_t torch, int64_t Tensor_, int64_t std, int64_t m, int64_t stack, int64_t result,
            int64_t class__, int64_t ops, int64_t list, int64_t id, int64_t self_, int64_t register_, Tensor& out_) {
  const auto sum = static_cast<float>(checks + len + torch_ + torch + Tensor_ + std + m + stack + result + class__ + ops +
                                      list + id + self_ + register_);
  const auto read = [](const Tensor& tensor, int64_t i) { return tensor.const_data_ptr<float>()[i * tensor.stride(0)]; };
  each<float>(out_, [&](int64_t, int64_t i, float& element) {
    element = read(self, i) + read(op, i) + read(x_, i) + read(out, i) + sum;
  });
}

}  // namespace wide::cpu
