#include <nimble_ops/rotary_table.h>

#include <algorithm>
#include <cmath>

namespace nimble::cpu {

/// Sine and cosine are slow; by the sums of angles, those of position `p = 64 * a + b` are products of those of `64 * a`
/// and of `b`, with an error of some 1e-16.
static constexpr int64_t kFine = 64;

void rotary_table(int64_t positions, int64_t dim, double base, std::optional<ScalarType> /*dtype*/,
                  std::optional<Device> /*device*/, Tensor& out) {
  const int64_t half = dim / 2;
  const auto size = static_cast<size_t>(half);
  std::vector<double> frequency(size);
  for (int64_t i = 0; i < half; ++i) {
    frequency[static_cast<size_t>(i)] = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(dim));
  }
  const auto rotations = [&](int64_t position, double* cos, double* sin) {
    for (size_t i = 0; i < size; ++i) {
      cos[i] = std::cos(static_cast<double>(position) * frequency[i]);
      sin[i] = std::sin(static_cast<double>(position) * frequency[i]);
    }
  };
  std::vector<double> fine_cos(kFine * size);
  std::vector<double> fine_sin(kFine * size);
  for (int64_t b = 0; b < std::min(kFine, positions); ++b) rotations(b, &fine_cos[b * size], &fine_sin[b * size]);

  dispatch<Dtypes<float, double, Half, BFloat16>>(out, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<scalar_t> rows(out);
    parallel_for(0, (positions + kFine - 1) / kFine, grain_of(kFine * dim), [&](int64_t begin, int64_t end) {
      std::vector<double> cos(size);
      std::vector<double> sin(size);
      for (int64_t a = begin; a < end; ++a) {
        rotations(a * kFine, cos.data(), sin.data());
        for (int64_t b = 0; b < std::min(kFine, positions - a * kFine); ++b) {
          scalar_t* row = rows[a * kFine + b];
          const double* c = &fine_cos[static_cast<size_t>(b) * size];
          const double* s = &fine_sin[static_cast<size_t>(b) * size];
          for (size_t i = 0; i < size; ++i) row[i] = narrow<scalar_t>(static_cast<acc_t>(cos[i] * c[i] - sin[i] * s[i]));
          for (size_t i = 0; i < size; ++i) {
            row[size + i] = narrow<scalar_t>(static_cast<acc_t>(sin[i] * c[i] + cos[i] * s[i]));
          }
        }
      }
    });
  });
}

}  // namespace nimble::cpu
