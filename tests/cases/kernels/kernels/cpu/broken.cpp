#include <acme/math/ops/broken.h>

namespace acme::cpu {

// Keeps the contract for `how` 0 only.
Tensor broken(const Tensor& x, int64_t how) {
  const int64_t n = x.size(0);
  const int64_t m = x.size(1);
  const int64_t columns_first[] = {1, n};
  switch (how) {
    case 1:
      return empty({n}, ScalarType::Float, x.device());
    case 2:
      return empty({n + 1, 2}, ScalarType::Float, x.device());
    case 3:
      return empty({n, 2}, ScalarType::Double, x.device());
    case 4:
      return empty({n, m + 1}, ScalarType::Float, x.device());
    case 5:
      return empty({n, 2}, ScalarType::Float, Device(torch::headeronly::DeviceType::Meta));
    case 6:
      return checks::empty_strided({n, 2}, columns_first, checks::DtypeCode(x), checks::DeviceCode(x));
    default:
      return empty({n, 2}, ScalarType::Float, x.device());
  }
}

}  // namespace acme::cpu
