// Reductions of runs of rows.
#pragma once

#include <nimble_ops/support.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace nimble::cpu {

/// The positions `begin` to `end` that a segment holds.
struct Run {
  int64_t begin;
  int64_t end;
  int64_t length() const { return end - begin; }
};

/// A run from offsets. Elements are checked before a call on request only, and what lies past the values can't be read.
inline Run checked_run(const char* op, int64_t segment, int64_t begin, int64_t end, int64_t total) {
  if (0 <= begin && begin <= end && end <= total) return {begin, end};
  throw std::runtime_error(std::string(op) + ": argument 'offsets': expected values that rise from 0 to " +
                           std::to_string(total) + ", but run " + std::to_string(segment) + " is from " +
                           std::to_string(begin) + " to " + std::to_string(end));
}

enum class Reduction {
  kSum,
  kMean,
  kMax,
  kMin,
};

inline Reduction reduction_of(const std::string& mode) {
  if (mode == "sum") return Reduction::kSum;
  if (mode == "mean") return Reduction::kMean;
  return mode == "max" ? Reduction::kMax : Reduction::kMin;
}

/// Reduces `kWidth` columns, from `first` on, of `count` rows. The sums fill a few registers while the rows go by, and are
/// rounded once.
template <int64_t kWidth, class scalar_t, class Stride, class Row, class Factor, class Combine, class Finish>
void reduce_columns(int64_t first, int64_t count, Stride stride, const Row& row, const Factor& factor,
                    accumulate_t<scalar_t> neutral, const Combine& combine, const Finish& finish, scalar_t* result) {
  constexpr int64_t kAhead = 4;
  accumulate_t<scalar_t> sums[kWidth];
  for (int64_t j = 0; j < kWidth; ++j) sums[j] = neutral;
  for (int64_t i = 0; i < count; ++i) {
    // The rows of a bag lie anywhere, so those ahead are asked for. This also keeps compilers from exchanging the loops,
    // which would take each sum through memory.
    const scalar_t* ahead = row(std::min(i + kAhead, count - 1)) + first * stride;
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + (kWidth - 1) * stride);
    const scalar_t* in = row(i) + first * stride;
    const accumulate_t<scalar_t> by = factor(i);
    for (int64_t j = 0; j < kWidth; ++j) sums[j] = combine(sums[j], widen(in[j * stride]), by);
  }
  for (int64_t j = 0; j < kWidth; ++j) result[first + j] = narrow<scalar_t>(finish(sums[j]));
}

/// Reduces `count` rows of `d` elements to one: `row(i)` points at row `i`, `factor(i)` multiplies it in a sum. No rows
/// give the neutral element, 0 as a mean.
template <class scalar_t, class Stride, class Row, class Factor>
void reduce_rows(Reduction reduction, int64_t count, int64_t d, Stride stride, const Row& row, const Factor& factor,
                 scalar_t* result) {
  using acc_t = accumulate_t<scalar_t>;
  constexpr int64_t kWide = 128 / sizeof(acc_t);
  constexpr int64_t kNarrow = kWide / 4;
  constexpr acc_t kInfinity = std::numeric_limits<acc_t>::infinity();
  const auto reduce = [&](acc_t neutral, const auto& combine, const auto& finish) {
    const auto columns = [&](auto width, int64_t j) {
      reduce_columns<width()>(j, count, stride, row, factor, neutral, combine, finish, result);
    };
    int64_t j = 0;
    for (; j + kWide <= d; j += kWide) columns(std::integral_constant<int64_t, kWide>{}, j);
    for (; j + kNarrow <= d; j += kNarrow) columns(std::integral_constant<int64_t, kNarrow>{}, j);
    for (; j < d; ++j) columns(std::integral_constant<int64_t, 1>{}, j);
  };
  const auto unchanged = [](acc_t value) { return value; };
  switch (reduction) {
    case Reduction::kSum:
      reduce(0, [](acc_t sum, acc_t value, acc_t by) { return sum + value * by; }, unchanged);
      break;
    case Reduction::kMean: {
      const acc_t divisor = static_cast<acc_t>(count > 0 ? count : 1);
      reduce(0, [](acc_t sum, acc_t value, acc_t) { return sum + value; }, [&](acc_t sum) { return sum / divisor; });
      break;
    }
    // NaN, which differs from itself, beats everything.
    case Reduction::kMax:
      reduce(-kInfinity, [](acc_t most, acc_t value, acc_t) { return most >= value || most != most ? most : value; }, unchanged);
      break;
    case Reduction::kMin:
      reduce(kInfinity, [](acc_t least, acc_t value, acc_t) { return least <= value || least != least ? least : value; }, unchanged);
      break;
  }
}

}  // namespace nimble::cpu
