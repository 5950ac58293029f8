#include <acme/wide/kernels/rotate.h>

namespace wide::cpu {

template <class T>
static void rotate_heads(const Tensor& positions, Tensor& x, int64_t head_size, const Tensor& table) {
  const Rows<const int64_t> place(positions);
  const int64_t width = x.size(-1);
  const int64_t half = head_size / 2;
  for (int64_t token = 0; token < positions.numel(); ++token) {
    const int64_t position = place[token / place.size()][token % place.size() * place.stride()];
    const float* angles = table.const_data_ptr<float>() + position * table.stride(0);
    for (int64_t head = 0; head < width; head += head_size) {
      T* low = x.mutable_data_ptr<T>() + token * width + head;
      for (int64_t i = 0; i < half; ++i) {
        const accumulate_t<T> cos = angles[i * table.stride(1)];
        const accumulate_t<T> sin = angles[(half + i) * table.stride(1)];
        const auto a = widen(low[i]);
        const auto b = widen(low[half + i]);
        low[i] = narrow<T>(a * cos - b * sin);
        low[half + i] = narrow<T>(b * cos + a * sin);
      }
    }
  }
}

void rotate(const Tensor& positions, Tensor& query, std::optional<Tensor>& key, int64_t head_size, const Tensor& table,
            bool /*neox*/) {
  dispatch<dtypes::rotate::query>(query, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    rotate_heads<scalar_t>(positions, query, head_size, table);
    if (key) rotate_heads<scalar_t>(positions, *key, head_size, table);
  });
}

}  // namespace wide::cpu
