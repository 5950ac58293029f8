// Copies of tokens between a paged cache and contiguous memory.
#pragma once

#include <nimble_ops/support.h>

namespace nimble::cpu {

/// A token at the place `from` of the source goes to the place `to` of the target.
struct Move {
  int64_t from;
  int64_t to;
};

/// Copies the tokens of `source` to `target`, both of shape [places, ..., width]. No two moves have the same target.
template <class scalar_t>
void move_tokens(const Rows<const scalar_t>& source, const Rows<scalar_t>& target, int64_t rows_of_token, const std::vector<Move>& moves) {
  with_strides(
      [&](auto from_stride, auto to_stride) {
        const auto move_part = [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const Move& move = moves[static_cast<size_t>(i)];
            for (int64_t row = 0; row < rows_of_token; ++row) {
              const scalar_t* from = source[move.from * rows_of_token + row];
              scalar_t* to = target[move.to * rows_of_token + row];
              for (int64_t j = 0; j < target.size(); ++j) to[j * to_stride] = from[j * from_stride];
            }
          }
        };
        parallel_for(0, static_cast<int64_t>(moves.size()), grain_of(rows_of_token * target.size()), move_part);
      },
      source.stride(), target.stride());
}

}  // namespace nimble::cpu
