#include <nimble_ops/masked_scale.h>

#include <limits>

#include "pieces.h"

namespace nimble::cpu {

/// `condition ? a : b` by masks of bits, which compilers vectorise where the condition has another width than the numbers.
template <class T>
static T choose(bool condition, T a, T b) {
  using bits_t = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  const bits_t chosen = bits_t{0} - static_cast<bits_t>(condition);
  return detail::bits_as<T>((detail::bits_as<bits_t>(a) & chosen) | (detail::bits_as<bits_t>(b) & ~chosen));
}

void masked_scale(const Tensor& x, const std::optional<Tensor>& mask, double scale, const std::string& mode,
                  std::optional<ScalarType> /*out_dtype*/, Tensor& out) {
  using Floats = dtypes::masked_scale::x;
  const auto fill = [&](auto x_dtype, auto out_dtype) {
    using scalar_t = typename decltype(x_dtype)::type;
    using out_t = typename decltype(out_dtype)::type;
    // Wide enough for both, so that nothing is rounded but the result.
    using acc_t = decltype(accumulate_t<scalar_t>() + accumulate_t<out_t>());
    const Rows<const scalar_t> x_rows(x);
    const Rows<out_t> out_rows(out);
    std::optional<Rows<const bool>> mask_rows;
    if (mask) mask_rows.emplace(*mask);
    const bool flat = x.is_contiguous() && (!mask || mask->is_contiguous());
    const int64_t size = flat ? x.numel() : x_rows.size();
    const bool keeps = mode == "keep";
    const acc_t filler = mode == "zero" ? 0 : -std::numeric_limits<acc_t>::infinity();
    const acc_t factor = static_cast<acc_t>(scale);

    const auto piece = [&](int64_t row, int64_t first, int64_t count, auto x_stride, auto mask_stride) {
      const scalar_t* in = x_rows[row] + first * x_stride;
      out_t* result = out_rows[row] + first;
      const auto value = [&](int64_t i) { return static_cast<acc_t>(widen(in[i * x_stride])); };
      const auto write = [&](int64_t i, acc_t number) {
        result[i] = narrow<out_t>(static_cast<accumulate_t<out_t>>(number));
      };
      if (!mask) {
        for (int64_t i = 0; i < count; ++i) write(i, value(i) * factor);
        return;
      }
      const bool* chosen = (*mask_rows)[row] + first * mask_stride;
      for (int64_t i = 0; i < count; ++i) {
        const acc_t number = value(i);
        write(i, choose(chosen[i * mask_stride], number * factor, keeps ? number : filler));
      }
    };
    with_strides(
        [&](auto... strides) {
          parallel_for(0, x.numel(), grain_of(1), [&](int64_t begin, int64_t end) {
            for_pieces(begin, end, size, size, [&](int64_t row, int64_t first, int64_t count) {
              piece(row, first, count, strides...);
            });
          });
        },
        x_rows.stride(), mask ? mask_rows->stride() : 1);
  };
  dispatch<Floats>(x, [&](auto x_dtype) {
    dispatch<Floats>(out, [&](auto out_dtype) { fill(x_dtype, out_dtype); });
  });
}

}  // namespace nimble::cpu
