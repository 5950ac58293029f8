#include <acme/wide/kernels/window.h>

namespace wide::composite {

void window(int64_t n, std::optional<ScalarType> /*dtype*/, std::optional<Device> /*device*/, Tensor& out) {
  dispatch<Dtypes<float, double>>(out, [&](auto type) {
    using out_t = typename decltype(type)::type;
    for (int64_t i = 0; i < n; ++i) {
      out.mutable_data_ptr<out_t>()[i] = static_cast<out_t>(static_cast<double>(i) / static_cast<double>(n - 1));
    }
  });
}

}  // namespace wide::composite
