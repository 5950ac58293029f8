#include <nimble_ops/cuda.h>
#include <nimble_ops/rotary_embedding.h>

namespace nimble::cuda {
namespace {

/// A block takes a token, a thread the same pair of every so many heads. A token whose position is beyond the cache stays
/// as it is: to raise an error, as the CPU kernel does, the host would have to wait for the device.
template <class scalar_t>
__global__ void rotary_embedding_kernel(DeviceRows<const int64_t> positions, DeviceRows<scalar_t> heads, int64_t head_size, DeviceRows<const scalar_t> cos_sin_cache, bool is_neox) {
  using acc_t = accumulate_t<scalar_t>;
  const int64_t pairs = cos_sin_cache.size() / 2;
  const int64_t turned = heads.size() / head_size * pairs;
  for (int64_t token = blockIdx.x; token < heads.count(); token += gridDim.x) {
    const int64_t position = positions[token / positions.size()][token % positions.size()];
    if (position < 0 || position >= cos_sin_cache.count()) continue;
    const DeviceRow<const scalar_t> angles = cos_sin_cache[position];
    const DeviceRow<scalar_t> row = heads[token];
    for (int64_t i = threadIdx.x; i < turned; i += blockDim.x) {
      const int64_t pair = i % pairs;
      const int64_t head = i / pairs * head_size;
      scalar_t& first = row[head + (is_neox ? pair : 2 * pair)];
      scalar_t& second = row[head + (is_neox ? pair + pairs : 2 * pair + 1)];
      const auto a = static_cast<acc_t>(first);
      const auto b = static_cast<acc_t>(second);
      const auto cosine = static_cast<acc_t>(angles[pair]);
      const auto sine = static_cast<acc_t>(angles[pairs + pair]);
      first = static_cast<scalar_t>(a * cosine - b * sine);
      second = static_cast<scalar_t>(a * sine + b * cosine);
    }
  }
}

}  // namespace

void rotary_embedding(const Tensor& positions, Tensor& query, std::optional<Tensor>& key, int64_t head_size, const Tensor& cos_sin_cache, bool is_neox) {
  dispatch<dtypes::rotary_embedding::query>(query, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    const DeviceRows<const int64_t> places(positions);
    const DeviceRows<const scalar_t> angles(cos_sin_cache);
    const auto turn = [&](const Tensor& tensor) {
      const DeviceRows<scalar_t> heads(tensor);
      const int64_t turned = heads.size() / head_size * (angles.size() / 2);
      if (tensor.numel() == 0 || turned == 0) return;
      rotary_embedding_kernel<<<blocks_for_rows(heads.count()), threads_for(turned), 0, current_stream(tensor)>>>(places, heads, head_size, angles, is_neox);
      check_launch("nimble::rotary_embedding");
    };
    turn(query);
    if (key) turn(*key);
  });
}

}  // namespace nimble::cuda
