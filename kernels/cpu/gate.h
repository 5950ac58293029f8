// What gates have in common: an activation of one half of each row, times the other half.
#pragma once

#include <nimble_ops/support.h>

#include <cmath>
#include <limits>

namespace nimble::cpu {

inline double exponential(double x) {
  return std::exp(x);
}

/// e^x within 2 units in the last place, without branches, so that loops with it are vectorised; from 88.3 on infinity.
/// Method and coefficients: expf of the Cephes library.
inline float exponential(float exponent) {
  const float low = exponent < -87.3f ? -87.3f : exponent;
  const float x = low > 88.3f ? 88.3f : low;
  const float shifted = x * 1.44269504f + 0x1.8p23f;  // x / ln 2, rounded by the adder, stands in its last bits
  const float n = shifted - 0x1.8p23f;
  const float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float y = 1.9875691500e-4f;
  y = y * r + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * r * r + r + 1.0f;
  const uint32_t power = (detail::bits_as<uint32_t>(shifted) + 127u) << 23;
  const float result = y * detail::bits_as<float>(power);
  return exponent > 88.3f ? std::numeric_limits<float>::infinity() : result;
}

/// out = activation(a) * b, where a and b are the halves of the rows of x, of the element type `scalar_t`.
template <class scalar_t, class Activation>
void gate(const Tensor& x, Tensor& out, const Activation& activation) {
  const Rows<const scalar_t> x_rows(x);
  const Rows<scalar_t> out_rows(out);
  const int64_t d = out_rows.size();

  const auto gate_row = [&](int64_t row, auto x_stride, auto out_stride) {
    const scalar_t* a = x_rows[row];
    const scalar_t* b = a + d * x_stride;
    scalar_t* result = out_rows[row];
    for (int64_t i = 0; i < d; ++i) {
      result[i * out_stride] = narrow<scalar_t>(activation(widen(a[i * x_stride])) * widen(b[i * x_stride]));
    }
  };
  with_strides(
      [&](auto... strides) {
        parallel_for(0, x_rows.count(), grain_of(2 * d), [&](int64_t begin, int64_t end) {
          for (int64_t row = begin; row < end; ++row) gate_row(row, strides...);
        });
      },
      x_rows.stride(), out_rows.stride());
}

}  // namespace nimble::cpu
