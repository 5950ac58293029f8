#include <acme/wide/kernels/copy_blocks.h>

namespace wide::cpu {

void copy_blocks(std::vector<Tensor>& key_caches, std::vector<Tensor>& value_caches, const Tensor& block_pairs) {
  for (std::vector<Tensor>* caches : {&key_caches, &value_caches}) {
    for (Tensor& cache : *caches) {
      if (cache.numel() == 0) continue;
      const size_t bytes = static_cast<size_t>(cache.numel() / cache.size(0)) * cache.element_size();
      auto* data = static_cast<char*>(cache.mutable_data_ptr());
      for (int64_t pair = 0; pair < block_pairs.size(0); ++pair) {
        const int64_t* ends = block_pairs.const_data_ptr<int64_t>() + pair * block_pairs.stride(0);
        std::memmove(data + static_cast<size_t>(ends[block_pairs.stride(1)]) * bytes,
                     data + static_cast<size_t>(ends[0]) * bytes, bytes);
      }
    }
  }
}

}  // namespace wide::cpu
