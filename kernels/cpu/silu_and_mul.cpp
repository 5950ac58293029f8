#include <nimble_ops/silu_and_mul.h>

#include <cmath>
#include <limits>

namespace nimble::cpu {

static double exponential(double x) {
  return std::exp(x);
}

/// e^x within 2 units in the last place, without branches, so that loops with it are vectorised; from 88.3 on infinity.
/// Method and coefficients: expf of the Cephes library.
static float exponential(float exponent) {
  const float low = exponent < -87.3f ? -87.3f : exponent;
  const float x = low > 88.3f ? 88.3f : low;
  const float n = (x * 1.44269504f + 0x1.8p23f) - 0x1.8p23f;  // x / ln 2, rounded by the adder
  const float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float y = 1.9875691500e-4f;
  y = y * r + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * r * r + r + 1.0f;
  const uint32_t power = (static_cast<uint32_t>(static_cast<int32_t>(n)) + 127u) << 23;
  const float result = y * detail::bits_as<float>(power);
  return exponent > 88.3f ? std::numeric_limits<float>::infinity() : result;
}

void silu_and_mul(Tensor& out, const Tensor& x) {
  dispatch<dtypes::silu_and_mul::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<scalar_t> out_rows(out);
    const Rows<const scalar_t> x_rows(x);
    const int64_t d = out_rows.size();

    const auto gate = [&](int64_t row, auto stride) {
      const scalar_t* a = x_rows[row];
      const scalar_t* b = a + d * stride;
      scalar_t* result = out_rows[row];
      for (int64_t i = 0; i < d; ++i) {
        const auto value = widen(a[i * stride]);
        result[i] = narrow<scalar_t>(value / (1 + exponential(-value)) * widen(b[i * stride]));
      }
    };
    with_strides(
        [&](auto stride) {
          parallel_for(0, x_rows.count(), grain_of(2 * d), [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) gate(row, stride);
          });
        },
        x_rows.stride());
  });
}

}  // namespace nimble::cpu
