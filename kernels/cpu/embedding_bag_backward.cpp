#include <nimble_ops/embedding_bag_backward.h>

#include <algorithm>
#include <numeric>

#include "indices.h"
#include "segments.h"

namespace nimble::cpu {

/// Positions by the row that they look up, in order: those of row `r` are `order[first[r]]` to `order[first[r + 1]]`.
struct ByRow {
  std::vector<int64_t> first;
  std::vector<int64_t> order;

  ByRow(const std::vector<int64_t>& row_of, int64_t rows) : first(static_cast<size_t>(rows) + 1), order(row_of.size()) {
    for (const int64_t row : row_of) ++first.data()[row + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int64_t> next(first);
    int64_t position = 0;
    for (const int64_t row : row_of) order.data()[next.data()[row]++] = position++;
  }
};

/// The gradients of one call.
template <class scalar_t>
struct Bags {
  using acc_t = accumulate_t<scalar_t>;

  Rows<const scalar_t> grad;
  Rows<const scalar_t> weight;
  std::vector<int64_t> row_of;  // the row that each position looks up
  std::vector<int64_t> bag_of;  // the bag that each position is in, -1 for none
  std::vector<Run> runs;
  Reduction reduction;

  template <class index_t>
  void find_bags(const Tensor& offsets) {
    const index_t* offset = offsets.const_data_ptr<index_t>();
    const int64_t stride = offsets.stride(0);
    const auto nnz = static_cast<int64_t>(row_of.size());
    bag_of.assign(row_of.size(), -1);
    for (int64_t bag = 0; bag < grad.count(); ++bag) {
      const int64_t end = bag + 1 < offsets.size(0) ? int64_t{offset[(bag + 1) * stride]} : nnz;
      runs.push_back(checked_run("nimble::embedding_bag_backward", bag, offset[bag * stride], end, nnz));
      std::fill(bag_of.begin() + runs.back().begin, bag_of.begin() + runs.back().end, bag);
    }
  }

  acc_t grad_at(int64_t bag, int64_t j) const { return widen(grad[bag][j * grad.stride()]); }
  acc_t weight_at(int64_t position, int64_t j) const {
    return widen(weight[row_of.data()[position]][j * weight.stride()]);
  }

  /// The position that each element of a `max` comes from: the first of the largest, as in the kernel of `embedding_bag`.
  std::vector<int64_t> winners() const {
    const int64_t d = weight.size();
    std::vector<int64_t> result(static_cast<size_t>(grad.count() * d), -1);
    parallel_for(0, grad.count(), grain_of(d), [&](int64_t first, int64_t last) {
      for (int64_t bag = first; bag < last; ++bag) {
        for (int64_t i = runs.data()[bag].begin; i < runs.data()[bag].end; ++i) {
          for (int64_t j = 0; j < d; ++j) {
            int64_t& winner = result.data()[bag * d + j];
            const acc_t most = weight_at(winner < 0 ? i : winner, j);
            if (winner < 0 || !(most >= weight_at(i, j) || most != most)) winner = i;
          }
        }
      }
    });
    return result;
  }

  /// A row of this gradient is the sum over the positions that look it up: no two threads add to one, it is rounded once,
  /// and it is the same in every call.
  void fill_weight(const scalar_t* factor, int64_t factor_stride, const Rows<scalar_t>& out) const {
    const int64_t d = weight.size();
    const std::vector<int64_t> winner = reduction == Reduction::kMax ? winners() : std::vector<int64_t>();
    const ByRow by_row(row_of, weight.count());
    const auto add = [&](int64_t i, acc_t* sums) {
      const int64_t bag = bag_of.data()[i];
      if (bag < 0) return;
      const acc_t by = factor ? widen(factor[i * factor_stride]) : acc_t{1};
      const auto parts = static_cast<acc_t>(reduction == Reduction::kMean ? runs.data()[bag].length() : 1);
      for (int64_t j = 0; j < d; ++j) {
        if (winner.empty() || winner.data()[bag * d + j] == i) sums[j] += grad_at(bag, j) * by / parts;
      }
    };
    const auto count = static_cast<int64_t>(row_of.size());
    parallel_for(0, out.count(), grain_of(out.count() > 0 ? count * d / out.count() : 0), [&](int64_t first, int64_t last) {
      std::vector<acc_t> sums(static_cast<size_t>(d));
      for (int64_t row = first; row < last; ++row) {
        std::fill(sums.begin(), sums.end(), acc_t(0));
        for (int64_t k = by_row.first.data()[row]; k < by_row.first.data()[row + 1]; ++k) {
          add(by_row.order.data()[k], sums.data());
        }
        for (int64_t j = 0; j < d; ++j) out[row][j] = narrow<scalar_t>(sums.data()[j]);
      }
    });
  }

  void fill_factors(scalar_t* out) const {
    const int64_t d = weight.size();
    parallel_for(0, static_cast<int64_t>(row_of.size()), grain_of(2 * d), [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        const int64_t bag = bag_of.data()[i];
        const auto product = [&](int64_t j) { return grad_at(bag, j) * weight_at(i, j); };
        out[i] = bag < 0 ? scalar_t(0) : narrow<scalar_t>(sum_of<acc_t>(d, product));
      }
    });
  }
};

void embedding_bag_backward(const Tensor& grad, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                            const std::string& mode, const std::optional<Tensor>& per_sample_weights,
                            bool /*include_last_offset*/, Tensor& dweight, Tensor& dper_sample_weights) {
  dispatch<dtypes::embedding_bag_backward::weight>(weight, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    dispatch<dtypes::embedding_bag_backward::indices>(indices, [&](auto index) {
      using index_t = typename decltype(index)::type;
      const Rows<const scalar_t> rows(weight);
      Bags<scalar_t> bags{Rows<const scalar_t>(grad),
                          rows,
                          nimble::cpu::indices<index_t>("nimble::embedding_bag_backward: argument 'indices'", indices,
                                                        0, rows.count()),
                          {},
                          {},
                          reduction_of(mode)};
      bags.template find_bags<index_t>(offsets);
      const scalar_t* factor = per_sample_weights ? per_sample_weights->const_data_ptr<scalar_t>() : nullptr;
      bags.fill_weight(factor, factor ? per_sample_weights->stride(0) : 0, Rows<scalar_t>(dweight));
      scalar_t* dfactor = dper_sample_weights.mutable_data_ptr<scalar_t>();
      if (factor) {
        bags.fill_factors(dfactor);
      } else {
        std::fill_n(dfactor, indices.size(0), scalar_t(0));
      }
    });
  });
}

}  // namespace nimble::cpu
