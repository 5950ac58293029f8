// Included behind the header of an operator, whose namespace has `Rows`.
#pragma once

namespace twins::cpu {

/// Sets each element of `out` to `f` of the elements of `x` and `y` at its place, whatever the strides of the three.
template <class T, class F>
void pointwise(const Tensor& x, const Tensor& y, const Tensor& out, const F& f) {
  const Rows<const T> from(x);
  const Rows<const T> by(y);
  const Rows<T> to(out);
  for (int64_t row = 0; row < to.count(); ++row) {
    for (int64_t i = 0; i < to.size(); ++i) {
      to[row][i * to.stride()] = f(from[row][i * from.stride()], by[row][i * by.stride()]);
    }
  }
}

}  // namespace twins::cpu
