// Ten kernels on signals, rows of float32, as they have been for years. They read dense tensors and check nothing.
#pragma once

#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace wave {

using torch::headeronly::ScalarType;
using torch::stable::Tensor;

inline const float* read(const Tensor& x) {
  return x.const_data_ptr<float>();
}

inline float* write(const Tensor& x) {
  return static_cast<float*>(x.mutable_data_ptr());
}

inline Tensor gain(const Tensor& x, double by) {
  Tensor out = torch::stable::empty_like(x);
  for (int64_t i = 0; i < x.numel(); ++i) write(out)[i] = read(x)[i] * static_cast<float>(by);
  return out;
}

inline Tensor mix(const Tensor& x, const Tensor& y, double balance) {
  Tensor out = torch::stable::empty_like(x);
  const auto right = static_cast<float>(balance);
  for (int64_t i = 0; i < x.numel(); ++i) write(out)[i] = (1 - right) * read(x)[i] + right * read(y)[i];
  return out;
}

inline Tensor clip(const Tensor& x, double limit) {
  Tensor out = torch::stable::empty_like(x);
  const auto most = static_cast<float>(limit);
  for (int64_t i = 0; i < x.numel(); ++i) write(out)[i] = std::clamp(read(x)[i], -most, most);
  return out;
}

inline void gain_in_place(Tensor& x, double by) {
  for (int64_t i = 0; i < x.numel(); ++i) write(x)[i] *= static_cast<float>(by);
}

inline void accumulate(Tensor& sum, const Tensor& x) {
  for (int64_t i = 0; i < x.numel(); ++i) write(sum)[i] += read(x)[i];
}

inline Tensor rms(const Tensor& x) {
  Tensor out = torch::stable::new_empty(x, {x.size(0)});
  const int64_t n = x.size(1);
  for (int64_t row = 0; row < x.size(0); ++row) {
    double squares = 0;
    for (int64_t i = 0; i < n; ++i) squares += static_cast<double>(read(x)[row * n + i]) * read(x)[row * n + i];
    write(out)[row] = static_cast<float>(std::sqrt(squares / static_cast<double>(n)));
  }
  return out;
}

inline Tensor peak(const Tensor& x) {
  Tensor out = torch::stable::new_empty(x, {x.size(0)});
  const int64_t n = x.size(1);
  for (int64_t row = 0; row < x.size(0); ++row) {
    float most = 0;
    for (int64_t i = 0; i < n; ++i) most = std::max(most, std::abs(read(x)[row * n + i]));
    write(out)[row] = most;
  }
  return out;
}

inline Tensor decimate(const Tensor& x, int64_t step) {
  const int64_t n = x.size(1);
  const int64_t kept = (n + step - 1) / step;
  Tensor out = torch::stable::new_empty(x, {x.size(0), kept});
  for (int64_t row = 0; row < x.size(0); ++row) {
    for (int64_t i = 0; i < kept; ++i) write(out)[row * kept + i] = read(x)[row * n + i * step];
  }
  return out;
}

inline Tensor histogram(const Tensor& x, int64_t bins, double low, double high) {
  Tensor out = torch::stable::new_empty(x, {bins}, ScalarType::Long);
  auto* count = static_cast<int64_t*>(out.mutable_data_ptr());
  std::fill(count, count + bins, 0);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double place = (read(x)[i] - low) / (high - low) * static_cast<double>(bins);
    if (place >= 0 && place < static_cast<double>(bins)) ++count[static_cast<int64_t>(place)];
  }
  return out;
}

inline Tensor crossings(const Tensor& x) {
  std::vector<int64_t> found;
  for (int64_t i = 1; i < x.size(0); ++i) {
    if ((read(x)[i - 1] < 0) != (read(x)[i] < 0)) found.push_back(i);
  }
  Tensor out = torch::stable::new_empty(x, {static_cast<int64_t>(found.size())}, ScalarType::Long);
  std::copy(found.begin(), found.end(), static_cast<int64_t*>(out.mutable_data_ptr()));
  return out;
}

}  // namespace wave
