// Reductions of runs of rows.
#pragma once

#include <nimble_ops/support.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace nimble::cpu {

/// The positions `begin` to `end` that a segment holds.
struct Run {
  int64_t begin;
  int64_t end;
  int64_t length() const { return end - begin; }
};

/// A run from offsets, which nobody has checked: reading past the values would be a crash, or silent.
inline Run checked_run(const char* op, int64_t segment, int64_t begin, int64_t end, int64_t total) {
  if (0 <= begin && begin <= end && end <= total) return {begin, end};
  throw std::runtime_error(std::string(op) + ": expected offsets that rise from 0 to " + std::to_string(total) +
                           ", but run " + std::to_string(segment) + " is from " + std::to_string(begin) + " to " +
                           std::to_string(end));
}

enum class Reduction { kSum, kMean, kMax, kMin };

inline Reduction reduction_of(const std::string& mode) {
  if (mode == "sum") return Reduction::kSum;
  if (mode == "mean") return Reduction::kMean;
  return mode == "max" ? Reduction::kMax : Reduction::kMin;
}

/// Reduces `count` rows of `d` elements to one: `row(i)` points at row `i`, `factor(i)` multiplies it in a sum. Sums and
/// extrema are kept in `total`, of `d` elements, and rounded once. No rows give the neutral element, 0 as a mean.
template <class scalar_t, class Stride, class Row, class Factor>
void reduce_rows(Reduction reduction, int64_t count, int64_t d, Stride stride, const Row& row, const Factor& factor,
                 std::vector<accumulate_t<scalar_t>>& total, scalar_t* result) {
  using acc_t = accumulate_t<scalar_t>;
  constexpr acc_t kInfinity = std::numeric_limits<acc_t>::infinity();
  acc_t* sums = total.data();
  const auto fold = [&](acc_t neutral, const auto& combine) {
    for (int64_t j = 0; j < d; ++j) sums[j] = neutral;
    for (int64_t i = 0; i < count; ++i) {
      const scalar_t* in = row(i);
      const acc_t by = factor(i);
      for (int64_t j = 0; j < d; ++j) sums[j] = combine(sums[j], widen(in[j * stride]), by);
    }
  };
  switch (reduction) {
    case Reduction::kSum:
      fold(0, [](acc_t sum, acc_t value, acc_t by) { return sum + value * by; });
      break;
    case Reduction::kMean:
      fold(0, [](acc_t sum, acc_t value, acc_t /*by*/) { return sum + value; });
      for (int64_t j = 0; j < d; ++j) sums[j] /= static_cast<acc_t>(count > 0 ? count : 1);
      break;
    // NaN, which differs from itself, beats everything.
    case Reduction::kMax:
      fold(-kInfinity, [](acc_t most, acc_t value, acc_t /*by*/) { return most >= value || most != most ? most : value; });
      break;
    case Reduction::kMin:
      fold(kInfinity, [](acc_t least, acc_t value, acc_t /*by*/) { return least <= value || least != least ? least : value; });
      break;
  }
  for (int64_t j = 0; j < d; ++j) result[j] = narrow<scalar_t>(sums[j]);
}

}  // namespace nimble::cpu
