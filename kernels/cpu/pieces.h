// Elementwise work in parts that don't end with the rows.
#pragma once

#include <nimble_ops/support.h>

#include <algorithm>

namespace nimble::cpu {

/// Calls `f(row, first, count)` for each piece of a row, of at most `longest` elements, that the elements `begin` to `end`
/// of a tensor with rows of `size` elements make.
template <class F>
void for_pieces(int64_t begin, int64_t end, int64_t size, int64_t longest, const F& f) {
  while (begin < end) {
    const int64_t first = begin % size;
    const int64_t count = std::min({end - begin, size - first, longest});
    f(begin / size, first, count);
    begin += count;
  }
}

}  // namespace nimble::cpu
