// out = x + weight * y, as an author would write it, and in every wrong way.
#pragma once

#include <faulty_ops/support.h>

#include <atomic>
#include <stdexcept>

#include "faults.h"

namespace faulty::cpu {

template <class T>
void blend_into(const Tensor& x, const Tensor& y, double weight, Tensor& out) {
  const auto stride = [](const Tensor& tensor, int64_t dim, bool ignored) {
    return ignored ? (dim == 0 ? tensor.size(1) : 1) : tensor.stride(dim);
  };
  const bool flat_x = has("ignores the strides of an input"), flat_out = has("ignores the strides of the output");
  const T* a = x.const_data_ptr<T>();
  const T* b = y.const_data_ptr<T>();
  T* result = out.mutable_data_ptr<T>();
  static std::atomic<int> calls{0};
  const double noise = has("is not deterministic") ? ++calls : 0;
  const bool same = a == b && has("is confused by one tensor for two arguments");
  const double factor = same ? 0 : has("ignores an argument") ? 0.5 : weight;
  int64_t columns = x.size(1);
  if (columns == 0 && x.size(0) > 0 && has("starts no thread for rows without elements")) {
    throw std::runtime_error("invalid configuration argument");  // as CUDA says
  }
  if (has("forgets the tail of a vector loop")) columns -= columns % 4;
  for (int64_t row = 0; row < x.size(0); ++row) {
    for (int64_t i = 0; i < columns; ++i) {
      T& to = result[row * stride(out, 0, flat_out) + i * stride(out, 1, flat_out)];
      const auto left = widen(a[row * stride(x, 0, flat_x) + i * stride(x, 1, flat_x)]);
      const auto right = widen(b[row * y.stride(0) + i * y.stride(1)]);
      const auto sum = static_cast<accumulate_t<T>>(left + factor * right + noise);
      to = narrow<T>(has("accumulates into the output") ? widen(to) + sum : sum);
    }
  }
  if (out.numel() == 0) return;
  const int64_t last = (x.size(0) - 1) * out.stride(0) + (x.size(1) - 1) * out.stride(1);
  if (has("writes behind the output")) result[last + 1] = result[last];
  if (has("reads behind an input")) {
    const int64_t behind = (x.size(0) - 1) * x.stride(0) + (x.size(1) - 1) * x.stride(1) + 1;
    result[last] = narrow<T>(widen(result[last]) + widen(a[behind]));
  }
  if (has("writes an input")) const_cast<T*>(b)[0] = narrow<T>(widen(b[0]) + 1);
}

inline void blend_any(const Tensor& x, const Tensor& y, double weight, Tensor& out) {
  switch (x.scalar_type()) {
    case ScalarType::Double: return blend_into<double>(x, y, weight, out);
    case ScalarType::Float: return blend_into<float>(x, y, weight, out);
    case ScalarType::BFloat16:
      if (!has("forgets a dtype")) blend_into<BFloat16>(x, y, weight, out);
      return;
    default: return;
  }
}

}  // namespace faulty::cpu
