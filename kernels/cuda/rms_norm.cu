#include <nimble_ops/cuda.h>
#include <nimble_ops/rms_norm.h>

namespace nimble::cuda {
namespace {

/// A block takes a row: it is read twice, the second time from the cache.
template <class scalar_t, int kCount>
__global__ void rms_norm_kernel(DeviceRows<const scalar_t> x, DeviceRows<const scalar_t> weight, double eps, DeviceRows<scalar_t> out) {
  using acc_t = accumulate_t<scalar_t>;
  const DeviceRow<const scalar_t> factors = weight[0];
  const int64_t first = int64_t{threadIdx.x} * kCount;
  const int64_t step = int64_t{blockDim.x} * kCount;
  for (int64_t row = blockIdx.x; row < x.count(); row += gridDim.x) {
    const DeviceRow<const scalar_t> in = x[row];
    acc_t squares = 0;
    for (int64_t i = first; i < x.size(); i += step) {
      const auto values = in.template load<kCount>(i);
      for (int j = 0; j < kCount; ++j) {
        const auto value = static_cast<acc_t>(values.at[j]);
        squares += value * value;
      }
    }
    const acc_t mean = block_sum(squares) / static_cast<acc_t>(x.size());
    const acc_t scale = 1 / sqrt(mean + static_cast<acc_t>(eps));
    for (int64_t i = first; i < x.size(); i += step) {
      auto values = in.template load<kCount>(i);
      const auto factor = factors.template load<kCount>(i);
      for (int j = 0; j < kCount; ++j) {
        const acc_t result = static_cast<acc_t>(values.at[j]) * scale * static_cast<acc_t>(factor.at[j]);
        values.at[j] = static_cast<scalar_t>(result);
      }
      out[row].template store<kCount>(i, values);
    }
  }
}

}  // namespace

void rms_norm(const Tensor& x, const Tensor& weight, double eps, Tensor& out) {
  if (out.numel() == 0) return;
  dispatch<dtypes::rms_norm::x>(x, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    constexpr int kWide = kPack<scalar_t>;
    const DeviceRows<const scalar_t> x_rows(x);
    const DeviceRows<const scalar_t> weights(weight);
    const DeviceRows<scalar_t> out_rows(out);
    const auto launch = [&](auto count) {
      constexpr int kCount = decltype(count)::value;
      const int threads = threads_for(x_rows.size() / kCount);
      rms_norm_kernel<scalar_t, kCount><<<blocks_for_rows(x_rows.count()), threads, 0, current_stream(x)>>>(x_rows, weights, eps, out_rows);
      check_launch("nimble::rms_norm");
    };
    if (x_rows.template packed<kWide>() && weights.template packed<kWide>() && out_rows.template packed<kWide>()) {
      launch(std::integral_constant<int, kWide>{});
    } else {
      launch(std::integral_constant<int, 1>{});
    }
  });
}

}  // namespace nimble::cuda
