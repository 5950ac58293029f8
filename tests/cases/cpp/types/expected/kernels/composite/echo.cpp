// The CompositeExplicitAutograd kernel of cpp_types::echo. opgen wrote this file once; from now on it is yours.
#include <cpp_types_ops/echo.h>

namespace cpp_types::composite {

std::tuple<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<std::string>, ScalarType,
           std::optional<int64_t>>
echo(int64_t n, double x, bool flag, const std::string& text, const std::vector<int64_t>& dims,
     const std::vector<std::string>& words, ScalarType dtype, std::optional<int64_t> k) {
  // What it computes goes here.
  kernel_not_written("cpp_types::echo", "kernels/composite/echo.cpp", n, x, flag, text, dims, words, dtype, k);
}

}  // namespace cpp_types::composite
