#include <nimble_ops/segment_reduce_backward.h>

#include <algorithm>

#include "segments.h"

namespace nimble::cpu {

template <class scalar_t, class index_t>
static void spread_gradients(const Tensor& grad, const Tensor& values, const Tensor& result, const Tensor& offsets,
                             Reduction reduction, Tensor& out) {
  using acc_t = accumulate_t<scalar_t>;
  const Rows<const scalar_t> grad_rows(grad);
  const Rows<const scalar_t> rows(values);
  const Rows<const scalar_t> results(result);
  const Rows<scalar_t> out_rows(out);
  const index_t* offset = offsets.const_data_ptr<index_t>();
  const int64_t offset_stride = offsets.stride(0);
  const int64_t segments = grad_rows.count();
  const int64_t total = rows.count();
  const int64_t d = rows.size();
  const bool is_extreme = reduction == Reduction::kMax || reduction == Reduction::kMin;
  const auto run_of = [&](int64_t segment) {
    return checked_run("nimble::segment_reduce_backward", segment, offset[segment * offset_stride],
                       offset[(segment + 1) * offset_stride], total);
  };
  // Where there is NaN, the result is, and it has the gradient.
  const auto is_result = [&](int64_t i, int64_t segment, int64_t j) {
    const acc_t value = widen(rows[i][j * rows.stride()]);
    return value == widen(results[segment][j * results.stride()]) || value != value;
  };

  parallel_for(0, segments, grain_of(segments > 0 ? total * d / segments : 0), [&](int64_t first, int64_t last) {
    std::vector<acc_t> shares(static_cast<size_t>(d));
    for (int64_t segment = first; segment < last; ++segment) {
      const Run run = run_of(segment);
      for (int64_t j = 0; j < d; ++j) {
        int64_t parts = reduction == Reduction::kMean ? run.length() : 1;
        if (is_extreme) {
          parts = 0;
          for (int64_t i = run.begin; i < run.end; ++i) parts += is_result(i, segment, j);
        }
        const acc_t whole = widen(grad_rows[segment][j * grad_rows.stride()]);
        shares[static_cast<size_t>(j)] = whole / static_cast<acc_t>(std::max<int64_t>(parts, 1));
      }
      for (int64_t i = run.begin; i < run.end; ++i) {
        for (int64_t j = 0; j < d; ++j) {
          const bool has_share = !is_extreme || is_result(i, segment, j);
          out_rows[i][j] = has_share ? narrow<scalar_t>(shares[static_cast<size_t>(j)]) : scalar_t(0);
        }
      }
    }
  });
  // Rows of no segment have no gradient.
  const auto clear = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) std::fill_n(out_rows[i], d, scalar_t(0));
  };
  clear(0, segments > 0 ? run_of(0).begin : total);
  clear(segments > 0 ? run_of(segments - 1).end : total, total);
}

void segment_reduce_backward(const Tensor& grad, const Tensor& values, const Tensor& result, const Tensor& offsets, const std::string& mode, Tensor& out) {
  dispatch<dtypes::segment_reduce_backward::values>(values, [&](auto dtype) {
    dispatch<dtypes::segment_reduce_backward::offsets>(offsets, [&](auto index) {
      spread_gradients<typename decltype(dtype)::type, typename decltype(index)::type>(grad, values, result, offsets,
                                                                                       reduction_of(mode), out);
    });
  });
}

}  // namespace nimble::cpu
