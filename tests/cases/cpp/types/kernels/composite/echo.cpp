#include <cpp_types_ops/echo.h>

namespace cpp_types::composite {

std::tuple<int64_t, double, bool, std::string, std::vector<int64_t>, std::vector<std::string>, ScalarType,
           std::optional<int64_t>>
echo(int64_t n, double x, bool flag, const std::string& text, const std::vector<int64_t>& dims,
     const std::vector<std::string>& words, ScalarType dtype, std::optional<int64_t> k) {
  return {n, x, flag, text, dims, words, dtype, k};
}

}  // namespace cpp_types::composite
