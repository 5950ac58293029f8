// The CompositeExplicitAutograd kernel of cpp_classic::echo. opgen wrote this file once; from now on it is yours.
#include <cpp_classic_ops/echo.h>

namespace cpp_classic::composite {

std::tuple<std::vector<bool>, Scalar, complex<double>, std::tuple<int64_t, std::string>>
echo(const std::vector<bool>& flags, const Scalar& scalar, complex<double> z,
     const std::tuple<int64_t, std::string>& pair) {
  // What it computes goes here.
  kernel_not_written("cpp_classic::echo", "kernels/composite/echo.cpp", flags, scalar, z, pair);
}

}  // namespace cpp_classic::composite
