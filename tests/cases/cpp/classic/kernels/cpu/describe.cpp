#include <cpp_classic_ops/describe.h>

#include <sstream>

namespace cpp_classic::cpu {

std::string describe(const std::vector<std::optional<Tensor>>& maybe, const std::vector<bool>& flags,
                     complex<double> z, std::optional<complex<double>> w, const std::vector<Scalar>& scalars,
                     const std::tuple<int64_t, std::string>& pair, const Dict<std::string, int64_t>& counts,
                     std::optional<Stream> stream, const std::optional<Storage>& storage,
                     const std::vector<int64_t>& sizes, const std::optional<Generator>& generator) {
  std::ostringstream text;
  for (const auto& tensor : maybe) text << (tensor ? tensor->numel() : -1) << ' ';
  for (const bool flag : flags) text << flag << ' ';
  text << z.real() << ' ' << z.imag() << ' ' << (w ? w->imag() : -1) << ' ';
  for (const Scalar& scalar : scalars) text << scalar.type() << ' ';
  text << std::get<0>(pair) << std::get<1>(pair) << ' ' << counts.at("a") << ' ';
  text << stream.has_value() << ' ' << (storage ? static_cast<int64_t>(storage->nbytes()) : -1) << ' ';
  text << sizes.at(0) << ' ' << sizes.at(1) << ' ' << generator.has_value();
  return text.str();
}

}  // namespace cpp_classic::cpu
