#include <nimble_ops/gather_cache.h>

#include "indices.h"
#include "paged_cache.h"

namespace nimble::cpu {

/// From slots to the tokens of the sequences.
static std::vector<Move> moves_from(const Tensor& cache, const Tensor& block_tables, const Tensor& cu_seq_lens, int64_t total) {
  const char* blocks_name = "nimble::gather_cache: argument 'block_tables'";
  const char* lens_name = "nimble::gather_cache: argument 'cu_seq_lens'";
  const Rows<const int32_t> tables(block_tables);
  const std::vector<int64_t> starts = indices<int32_t>(lens_name, cu_seq_lens, 0, total + 1);
  const int64_t block_size = cache.size(1);
  const int64_t capacity = tables.size() * block_size;
  if (starts.front() != 0 || starts.back() != total) {
    throw std::runtime_error(std::string(lens_name) + ": expected to rise from 0 to " + std::to_string(total) + ", got " +
                             std::to_string(starts.front()) + " to " + std::to_string(starts.back()));
  }

  std::vector<Move> moves;
  moves.reserve(static_cast<size_t>(total));
  for (int64_t seq = 0; seq < tables.count(); ++seq) {
    const int64_t start = starts[static_cast<size_t>(seq)];
    const int64_t length = starts[static_cast<size_t>(seq) + 1] - start;
    if (length < 0 || length > capacity) {
      throw std::runtime_error(std::string(lens_name) + ": expected a sequence of 0 to " + std::to_string(capacity) +
                               " tokens, got " + std::to_string(length) + " at sequence " + std::to_string(seq));
    }
    const int32_t* table = tables[seq];
    for (int64_t token = 0; token < length; ++token) {
      const int64_t place = token / block_size;
      const int64_t block = table[place * tables.stride()];
      check_index(blocks_name, seq * tables.size() + place, block, 0, cache.size(0));
      moves.push_back({block * block_size + token % block_size, start + token});
    }
  }
  return moves;
}

void gather_cache(const Tensor& cache, const Tensor& block_tables, const Tensor& cu_seq_lens, int64_t total, Tensor& out) {
  const std::vector<Move> moves = moves_from(cache, block_tables, cu_seq_lens, total);
  if (moves.empty()) return;
  dispatch<dtypes::gather_cache::cache>(cache, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<scalar_t> out_rows(out);
    move_tokens(Rows<const scalar_t>(cache), out_rows, out_rows.count() / total, moves);
  });
}

}  // namespace nimble::cpu
