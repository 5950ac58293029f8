#include <kin_ops/ends_of.h>

namespace kin::cpu {

void ends_of(const Tensor& x, int64_t count, Tensor& first, Tensor& last) {
  dispatch<dtypes::ends_of::x>(x, [&](auto dtype) {
    using T = typename decltype(dtype)::type;
    const T* from = x.const_data_ptr<T>();
    T* head = first.mutable_data_ptr<T>();
    T* tail = last.mutable_data_ptr<T>();
    for (int64_t i = 0; i < count; ++i) head[i] = tail[i] = -7;
    for (int64_t i = 0; i < count; ++i) {
      head[i] = from[i * x.stride(0)];
      tail[i] = from[(x.size(0) - count + i) * x.stride(0)];
    }
  });
}

}  // namespace kin::cpu
