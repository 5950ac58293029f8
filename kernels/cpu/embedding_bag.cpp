#include <nimble_ops/embedding_bag.h>

#include <algorithm>

#include "indices.h"
#include "segments.h"

namespace nimble::cpu {

template <class scalar_t, class index_t>
static void reduce_bags(const Tensor& weight, const Tensor& indices, const Tensor& offsets, Reduction reduction,
                        const std::optional<Tensor>& per_sample_weights, Tensor& out) {
  using acc_t = accumulate_t<scalar_t>;
  const Rows<const scalar_t> rows(weight);
  const Rows<scalar_t> out_rows(out);
  const index_t* index = indices.const_data_ptr<index_t>();
  const index_t* offset = offsets.const_data_ptr<index_t>();
  const scalar_t* factor = per_sample_weights ? per_sample_weights->const_data_ptr<scalar_t>() : nullptr;
  const int64_t index_stride = indices.stride(0);
  const int64_t offset_stride = offsets.stride(0);
  const int64_t factor_stride = per_sample_weights ? per_sample_weights->stride(0) : 0;
  const int64_t nnz = indices.size(0);
  const int64_t bags = out_rows.count();
  const int64_t d = rows.size();

  // As for offsets: without the check, an index would be an address.
  const auto row_at = [&](int64_t position) {
    const int64_t row = index[position * index_stride];
    check_index("nimble::embedding_bag: argument 'indices'", position, row, 0, rows.count());
    return rows[row];
  };
  const auto factor_at = [&](int64_t position) { return factor ? widen(factor[position * factor_stride]) : acc_t{1}; };
  // `members`, which has its memory from bag to bag, gets the rows of the bag: each index is looked up once.
  const auto reduce_bag = [&](int64_t bag, auto stride, std::vector<const scalar_t*>& members) {
    const int64_t end = bag + 1 < offsets.size(0) ? int64_t{offset[(bag + 1) * offset_stride]} : nnz;
    const Run run = checked_run("nimble::embedding_bag", bag, offset[bag * offset_stride], end, nnz);
    scalar_t* result = out_rows[bag];
    if (run.length() == 0) {  // 0 whatever the mode
      std::fill_n(result, d, scalar_t(0));
      return;
    }
    members.clear();
    for (int64_t i = run.begin; i < run.end; ++i) members.push_back(row_at(i));
    const scalar_t* const* row = members.data();
    reduce_rows(reduction, run.length(), d, stride, [row](int64_t i) { return row[i]; }, [&](int64_t i) { return factor_at(run.begin + i); }, result);
  };
  with_strides(
      [&](auto stride) {
        parallel_for(0, bags, grain_of(bags > 0 ? nnz * d / bags : 0), [&](int64_t first, int64_t last) {
          std::vector<const scalar_t*> members;
          for (int64_t bag = first; bag < last; ++bag) reduce_bag(bag, stride, members);
        });
      },
      rows.stride());
}

void embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets, const std::string& mode,
                   const std::optional<Tensor>& per_sample_weights, bool /*include_last_offset*/, Tensor& out) {
  dispatch<dtypes::embedding_bag::weight>(weight, [&](auto dtype) {
    dispatch<dtypes::embedding_bag::indices>(indices, [&](auto index) {
      reduce_bags<typename decltype(dtype)::type, typename decltype(index)::type>(
          weight, indices, offsets, reduction_of(mode), per_sample_weights, out);
    });
  });
}

}  // namespace nimble::cpu
