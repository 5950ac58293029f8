// Indices from tensors: a wrong one is an error of the caller's, not a read of wild memory.
#pragma once

#include <nimble_ops/support.h>

#include <stdexcept>

namespace nimble::cpu {

/// Throws unless low <= index < high. `argument` says whose element it is: "nimble::op: argument 'x'".
inline void check_index(const char* argument, int64_t place, int64_t index, int64_t low, int64_t high) {
  if (index >= low && index < high) return;
  throw std::runtime_error(std::string(argument) + ": expected elements in range(" + std::to_string(low) + ", " +
                           std::to_string(high) + "), got " + std::to_string(index) + " at element " + std::to_string(place));
}

/// The elements of a tensor with elements of type T in row-major order, whatever its strides.
template <class T>
std::vector<int64_t> elements(const Tensor& tensor) {
  const Rows<const T> rows(tensor);
  std::vector<int64_t> result;
  result.reserve(static_cast<size_t>(rows.count() * rows.size()));
  for (int64_t row = 0; row < rows.count(); ++row) {
    for (int64_t i = 0; i < rows.size(); ++i) result.push_back(rows[row][i * rows.stride()]);
  }
  return result;
}

/// The same, each element checked as by `check_index`.
template <class T>
std::vector<int64_t> indices(const char* argument, const Tensor& tensor, int64_t low, int64_t high) {
  std::vector<int64_t> result = elements<T>(tensor);
  for (size_t i = 0; i < result.size(); ++i) check_index(argument, static_cast<int64_t>(i), result[i], low, high);
  return result;
}

}  // namespace nimble::cpu
