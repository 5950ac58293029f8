// Symmetric quantisation of a run of elements to eight bits.
#pragma once

#include <nimble_ops/support.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace nimble::cpu {

/// The largest magnitude of `value(0)`, ..., `value(count - 1)`; NaN where one of them is. Without their sign, floating
/// point numbers have the order of their bits, infinity and then NaN last, and compilers vectorise a maximum of integers.
template <class T, class F>
T largest_magnitude(int64_t count, const F& value) {
  using bits_t = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  bits_t largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const bits_t magnitude = detail::bits_as<bits_t>(value(i)) & std::numeric_limits<bits_t>::max();
    largest = magnitude > largest ? magnitude : largest;
  }
  return detail::bits_as<T>(largest);
}

/// A number of steps within [-127, 127] rounded to the nearest, ties to even, by the adder: at this size the last bit of
/// the sum is that of 1. (std::nearbyint would be a call for each element.)
template <class T>
int8_t nearest(T steps) {
  constexpr T kShift = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);
  return static_cast<int8_t>(static_cast<int32_t>((steps + kShift) - kShift));
}

/// Writes the steps of `count` elements to `q`, and returns their scale.
template <class scalar_t, class InStride, class QStride>
float quantise(const scalar_t* in, InStride in_stride, int64_t count, int8_t* q, QStride q_stride) {
  using acc_t = accumulate_t<scalar_t>;
  const auto value = [&](int64_t i) { return widen(in[i * in_stride]); };
  const float scale = static_cast<float>(largest_magnitude<acc_t>(count, value) / 127);
  const bool usable = scale > 0 && std::isfinite(scale);
  if (!usable) {
    for (int64_t i = 0; i < count; ++i) q[i * q_stride] = 0;
    return scale;
  }
  for (int64_t i = 0; i < count; ++i) {
    const acc_t steps = value(i) / static_cast<acc_t>(scale);
    const acc_t low = steps < -127 ? -127 : steps;  // a rounded scale may be too small by a little
    q[i * q_stride] = nearest(low > 127 ? 127 : low);
  }
  return scale;
}

}  // namespace nimble::cpu
