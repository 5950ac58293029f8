#include <nimble_ops/cuda.h>
#include <nimble_ops/reshape_and_cache.h>

namespace nimble::cuda {
namespace {

/// A block takes a token. The last of several with one slot is kept: each of them looks whether there is a later one. A
/// slot that the cache doesn't have is passed over: to raise an error, as the CPU kernel does, the host would have to wait.
template <class scalar_t>
__global__ void reshape_and_cache_kernel(DeviceRows<const scalar_t> key, DeviceRows<const scalar_t> value, DeviceRows<scalar_t> key_cache, DeviceRows<scalar_t> value_cache, DeviceRows<const int64_t> slot_mapping, int64_t heads) {
  const int64_t tokens = slot_mapping.size();
  const DeviceRow<const int64_t> slots = slot_mapping[0];
  const auto copy = [&](const DeviceRows<const scalar_t>& from, const DeviceRows<scalar_t>& to, int64_t token, int64_t slot) {
    const int64_t size = from.size();
    for (int64_t i = threadIdx.x; i < heads * size; i += blockDim.x) {
      const int64_t head = i / size;
      to[slot * heads + head][i % size] = from[token * heads + head][i % size];
    }
  };
  for (int64_t token = blockIdx.x; token < tokens; token += gridDim.x) {
    const int64_t slot = slots[token];
    bool is_replaced = false;
    for (int64_t i = token + 1 + threadIdx.x; i < tokens; i += blockDim.x) is_replaced |= slots[i] == slot;
    if (__syncthreads_or(is_replaced) || slot < 0 || slot * heads >= key_cache.count()) continue;
    copy(key, key_cache, token, slot);
    copy(value, value_cache, token, slot);
  }
}

}  // namespace

void reshape_and_cache(const Tensor& key, const Tensor& value, Tensor& key_cache, Tensor& value_cache, const Tensor& slot_mapping) {
  const int64_t tokens = key.size(0);
  const int64_t heads = key.size(1);
  const int64_t copied = heads * std::max(key.size(2), value.size(2));
  if (tokens == 0 || copied == 0) return;
  dispatch<dtypes::reshape_and_cache::key>(key, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    reshape_and_cache_kernel<<<blocks_for_rows(tokens), threads_for(copied), 0, current_stream(key)>>>(
        DeviceRows<const scalar_t>(key), DeviceRows<const scalar_t>(value), DeviceRows<scalar_t>(key_cache),
        DeviceRows<scalar_t>(value_cache), DeviceRows<const int64_t>(slot_mapping), heads);
    check_launch("nimble::reshape_and_cache");
  });
}

}  // namespace nimble::cuda
