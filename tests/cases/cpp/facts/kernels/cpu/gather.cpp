// Picks rows; an index out of range would read wild memory.
#include <cpp_facts/ops/gather.h>

namespace cpp_facts::cpu {

void gather(const Tensor& rows, const Tensor& index, const std::optional<Tensor>& /*order*/, Tensor& out) {
  dispatch<dtypes::gather::index>(index, [&](auto dtype) {
    using index_t = typename decltype(dtype)::type;
    const Rows<const index_t> picks(index);
    const Rows<const float> from(rows);
    const Rows<float> to(out);
    for (int64_t i = 0; i < to.count(); ++i) {
      const index_t row = picks[i / picks.size()][i % picks.size() * picks.stride()];
      for (int64_t j = 0; j < to.size(); ++j) to[i][j * to.stride()] = from[row][j * from.stride()];
    }
  });
}

}  // namespace cpp_facts::cpu
