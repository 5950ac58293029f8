#include <nimble_ops/segment_reduce.h>

#include "segments.h"

namespace nimble::cpu {

template <class scalar_t, class index_t>
static void reduce_segments(const Tensor& values, const Tensor& offsets, Reduction reduction, Tensor& out) {
  const Rows<const scalar_t> rows(values);
  const Rows<scalar_t> out_rows(out);
  const index_t* offset = offsets.const_data_ptr<index_t>();
  const int64_t offset_stride = offsets.stride(0);
  const int64_t segments = out_rows.count();
  const int64_t d = rows.size();
  const int64_t elements = segments > 0 ? rows.count() * d / segments : 0;
  with_strides(
      [&](auto stride) {
        parallel_for(0, segments, grain_of(elements), [&](int64_t first, int64_t last) {
          for (int64_t segment = first; segment < last; ++segment) {
            const Run run = checked_run("nimble::segment_reduce", segment, offset[segment * offset_stride],
                                        offset[(segment + 1) * offset_stride], rows.count());
            reduce_rows(reduction, run.length(), d, stride, [&](int64_t i) { return rows[run.begin + i]; }, [](int64_t) { return 1; }, out_rows[segment]);
          }
        });
      },
      rows.stride());
}

void segment_reduce(const Tensor& values, const Tensor& offsets, const std::string& mode, Tensor& out) {
  dispatch<dtypes::segment_reduce::values>(values, [&](auto dtype) {
    dispatch<dtypes::segment_reduce::offsets>(offsets, [&](auto index) {
      reduce_segments<typename decltype(dtype)::type, typename decltype(index)::type>(values, offsets,
                                                                                      reduction_of(mode), out);
    });
  });
}

}  // namespace nimble::cpu
