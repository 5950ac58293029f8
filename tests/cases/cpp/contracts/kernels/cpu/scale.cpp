#include <cpp_contracts/ops/scale.h>

namespace cpp_contracts::cpu {

void scale(const Tensor& x, double factor, Tensor& out) {
  dispatch<dtypes::scale::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const Rows<const scalar_t> in(x);
    const Rows<scalar_t> result(out);
    // Contiguous tensors are one long row.
    const bool flat = x.is_contiguous() && out.is_contiguous();
    const int64_t count = flat ? 1 : in.count();
    const int64_t size = flat ? x.numel() : in.size();
    parallel_for(0, count, grain_of(size), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        for (int64_t i = 0; i < size; ++i) {
          result[row][i * result.stride()] =
              static_cast<scalar_t>(static_cast<accumulate_t<scalar_t>>(in[row][i * in.stride()]) *
                                    static_cast<accumulate_t<scalar_t>>(factor));
        }
      }
    });
  });
}

}  // namespace cpp_contracts::cpu
