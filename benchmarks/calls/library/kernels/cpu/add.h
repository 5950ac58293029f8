#pragma once

#include <bench_ops/support.h>

namespace bench::cpu {

inline void add(const Tensor& x, const Tensor& y, Tensor& out) {
  const float* a = x.const_data_ptr<float>();
  const float* b = y.const_data_ptr<float>();
  float* sum = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) sum[i] = a[i] + b[i];
}

inline void accumulate(Tensor& x, const Tensor& y) {
  add(x, y, x);
}

}  // namespace bench::cpu
