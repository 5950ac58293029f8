#include <acme/wide/kernels/every_default.h>

namespace wide::cpu {

std::tuple<std::string, int64_t, double, bool, std::vector<int64_t>, std::vector<double>,
           std::vector<std::string>, std::optional<int64_t>, ScalarType, Device>
every_default(const Tensor& x, int64_t n, std::optional<int64_t> k, std::optional<int64_t> l, int64_t size,
              const std::vector<int64_t>& pad, const std::vector<int64_t>& dims, const std::vector<int64_t>& same,
              const std::optional<std::vector<int64_t>>& shape, double scale, double big, std::optional<double> eps,
              std::optional<double> eta, const std::vector<double>& weights, bool flag, std::optional<bool> causal,
              const std::vector<bool>& masks, const std::optional<std::vector<bool>>& some, const std::string& mode,
              const std::string& quote, const std::optional<std::string>& name, const std::optional<std::string>& other,
              ScalarType dtype, std::optional<ScalarType> kind, Device device, std::optional<Device> where, Layout layout,
              MemoryFormat format, const std::optional<Tensor>& t, const std::optional<std::vector<Tensor>>& more,
              int64_t last) {
  std::vector<int64_t> sizes{size, pad.at(0), pad.at(1), dims.at(0), dims.at(1), same.at(0), same.at(1), same.at(2), last};
  const bool absent = !k && !shape && !eps && !causal && !some && !name && !kind && !where && !t && !more;
  const bool plain = layout == Layout::Strided && format == MemoryFormat::Contiguous;
  return {quote,
          n + l.value_or(0) + x.dim(),
          eta.value_or(0),
          absent && plain && flag && masks.at(0) && !masks.at(1),
          std::move(sizes),
          {scale, big, weights.at(0), weights.at(1)},
          {mode, other.value_or("none")},
          std::nullopt,
          dtype,
          device};
}

}  // namespace wide::cpu
