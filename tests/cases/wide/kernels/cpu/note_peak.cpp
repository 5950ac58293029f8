#include <acme/wide/kernels/note_peak.h>

#include <algorithm>

#include "elementwise.h"

namespace wide::cpu {

void note_peak(const Tensor& src, std::optional<Tensor>& peak, std::vector<Tensor>& history) {
  const Rows<const float> in(src);
  float most = in[0][0];
  for (int64_t i = 1; i < in.size(); ++i) most = std::max(most, in[0][i * in.stride()]);
  if (peak) *peak->mutable_data_ptr<float>() = most;
  for (Tensor& tensor : history) {
    each<float>(tensor, [&](int64_t, int64_t, float& element) { element = most; });
  }
}

}  // namespace wide::cpu
