#include <nimble_ops/reshape_and_cache.h>

#include <algorithm>

#include "indices.h"
#include "paged_cache.h"

namespace nimble::cpu {

/// From tokens to slots, without padding; of several tokens with one slot only the last, so that threads never meet.
static std::vector<Move> moves_to(const std::vector<int64_t>& slots) {
  std::vector<Move> moves;
  moves.reserve(slots.size());
  for (size_t token = slots.size(); token-- > 0;) {
    if (slots[token] >= 0) moves.push_back({static_cast<int64_t>(token), slots[token]});
  }
  std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.to < b.to; });
  const auto same_slot = [](const Move& a, const Move& b) { return a.to == b.to; };
  moves.erase(std::unique(moves.begin(), moves.end(), same_slot), moves.end());
  return moves;
}

void reshape_and_cache(const Tensor& key, const Tensor& value, Tensor& key_cache, Tensor& value_cache, const Tensor& slot_mapping) {
  const int64_t slots = key_cache.size(0) * key_cache.size(1);
  const std::vector<Move> moves =
      moves_to(indices<int64_t>("nimble::reshape_and_cache: argument 'slot_mapping'", slot_mapping, -1, slots));
  dispatch<dtypes::reshape_and_cache::key>(key, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const int64_t heads = key.size(1);
    move_tokens(Rows<const scalar_t>(key), Rows<scalar_t>(key_cache), heads, moves);
    move_tokens(Rows<const scalar_t>(value), Rows<scalar_t>(value_cache), heads, moves);
  });
}

}  // namespace nimble::cpu
