// Loops over all elements of tensors with any strides.
#pragma once

#include <acme/wide/kernels/support.h>

namespace wide::cpu {

/// Calls `f(row, i, out_element)` for each element of `out`.
template <class T, class F>
void each(Tensor& out, const F& f) {
  const Rows<T> rows(out);
  parallel_for(0, rows.count(), grain_of(rows.size()), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t i = 0; i < rows.size(); ++i) f(row, i, rows[row][i * rows.stride()]);
    }
  });
}

/// out = x * factor, for tensors of one shape.
template <class T>
void scale_into(const Tensor& x, double factor, Tensor& out) {
  const Rows<const T> in(x);
  each<T>(out, [&](int64_t row, int64_t i, T& element) {
    element = narrow<T>(widen(in[row][i * in.stride()]) * static_cast<accumulate_t<T>>(factor));
  });
}

}  // namespace wide::cpu
