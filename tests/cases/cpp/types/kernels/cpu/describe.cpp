#include <cpp_types_ops/describe.h>

#include <sstream>

namespace cpp_types::cpu {

template <class T>
static std::string show(const std::optional<T>& value) {
  std::ostringstream text;
  value ? text << *value : text << "none";
  return text.str();
}

std::string describe(const Tensor& x, const std::optional<Tensor>& bias, const std::vector<Tensor>& xs,
                     const std::vector<std::optional<Tensor>>& maybe, const std::vector<int64_t>& dims,
                     const std::vector<int64_t>& pad, const std::vector<double>& weights,
                     const std::vector<bool>& masks, const std::vector<std::string>& words, int64_t n, int64_t size,
                     double scale, bool flag, const std::string& mode, std::optional<ScalarType> dtype,
                     std::optional<Device> device, std::optional<Layout> layout,
                     std::optional<MemoryFormat> memory_format, std::optional<int64_t> k, std::optional<double> eps,
                     std::optional<bool> causal, const std::optional<std::string>& name,
                     const std::optional<std::vector<int64_t>>& shape,
                     const std::optional<std::vector<Tensor>>& rest) {
  std::ostringstream text;
  text << dispatch<dtypes::describe::x>(x, [](auto type) { return sizeof(typename decltype(type)::type); });
  text << ' ' << bias.has_value() << ' ' << xs.size() << ' ';
  for (const auto& tensor : maybe) text << tensor.has_value();
  for (const auto* list : {&dims, &pad}) {
    for (const int64_t value : *list) text << ' ' << value;
  }
  for (const double value : weights) text << ' ' << value;
  for (const bool value : masks) text << ' ' << value;
  for (const std::string& word : words) text << ' ' << word;
  text << ' ' << n << ' ' << size << ' ' << scale << ' ' << flag << ' ' << mode << ' ' << show(dtype) << ' '
       << (device ? static_cast<int>(device->type()) : -1) << ' ' << (layout ? static_cast<int>(*layout) : -1) << ' '
       << (memory_format ? static_cast<int>(*memory_format) : -1) << ' ' << show(k) << ' ' << show(eps) << ' '
       << show(causal) << ' ' << show(name) << ' ' << (shape ? static_cast<int>(shape->size()) : -1) << ' '
       << (rest ? static_cast<int>(rest->size()) : -1);
  return text.str();
}

}  // namespace cpp_types::cpu
