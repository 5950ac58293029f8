// The sum that add_, add.out and add_mutate have in common.
#pragma once

#include "pieces.h"

namespace nimble::cpu {

/// out = x + y for tensors of one shape and of the element type `scalar_t`, with any strides.
template <class scalar_t>
void add(const Tensor& x, const Tensor& y, Tensor& out) {
  const Rows<const scalar_t> x_rows(x);
  const Rows<const scalar_t> y_rows(y);
  const Rows<scalar_t> out_rows(out);
  const bool flat = x.is_contiguous() && y.is_contiguous() && out.is_contiguous();
  const int64_t size = flat ? x.numel() : out_rows.size();
  const bool in_place = &x == &out;

  const auto add_piece = [&](int64_t row, int64_t first, int64_t count, auto x_stride, auto y_stride, auto out_stride) {
    const scalar_t* a = x_rows[row] + first * x_stride;
    const scalar_t* b = y_rows[row] + first * y_stride;
    scalar_t* sum = out_rows[row] + first * out_stride;
    const auto add_to = [&](const auto* addend, auto stride) {
      for (int64_t i = 0; i < count; ++i) {
        sum[i * out_stride] = narrow<scalar_t>(widen(addend[i * stride]) + widen(b[i * y_stride]));
      }
    };
    // Only where they see that one pointer is meant, do compilers vectorise a loop that writes what it reads.
    in_place ? add_to(sum, out_stride) : add_to(a, x_stride);
  };
  with_strides(
      [&](auto... strides) {
        parallel_for(0, out.numel(), grain_of(1), [&](int64_t begin, int64_t end) {
          for_pieces(begin, end, size, size, [&](int64_t row, int64_t first, int64_t count) {
            add_piece(row, first, count, strides...);
          });
        });
      },
      x_rows.stride(), y_rows.stride(), out_rows.stride());
}

}  // namespace nimble::cpu
