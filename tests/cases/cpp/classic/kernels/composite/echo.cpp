#include <cpp_classic_ops/echo.h>

namespace cpp_classic::composite {

std::tuple<std::vector<bool>, Scalar, complex<double>, std::tuple<int64_t, std::string>> echo(
    const std::vector<bool>& flags, const Scalar& scalar, complex<double> z,
    const std::tuple<int64_t, std::string>& pair) {
  return {flags, scalar, z, pair};
}

}  // namespace cpp_classic::composite
