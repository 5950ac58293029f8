#include <acme/wide/kernels/every_type.h>

#include <sstream>

namespace wide::cpu {

template <class T>
static std::string show(const std::optional<T>& value) {
  std::ostringstream text;
  value ? text << *value : text << "none";
  return text.str();
}

template <class T>
static std::string show(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + show(std::optional<T>(value));
  return "[" + text + "]";
}

static int code(ScalarType dtype) {
  return static_cast<int>(dtype);
}

std::string every_type(const Tensor& x, const std::optional<Tensor>& t, const std::vector<Tensor>& ts,
                       const std::vector<std::optional<Tensor>>& maybe, int64_t n, std::optional<int64_t> k, int64_t size,
                       const std::vector<int64_t>& sizes, const std::vector<int64_t>& pad,
                       const std::optional<std::vector<int64_t>>& shape, double scale, std::optional<double> eps,
                       const std::vector<double>& weights, bool flag, const std::optional<std::vector<bool>>& masks,
                       const std::string& mode, const std::optional<std::string>& name, ScalarType dtype,
                       std::optional<ScalarType> other, Device device, std::optional<Device> where, Layout layout,
                       MemoryFormat format, const std::vector<std::string>& words) {
  std::ostringstream text;
  text << x.dim() << ' ' << t.has_value() << ' ' << ts.size() << ' ';
  for (const auto& tensor : maybe) text << tensor.has_value();
  text << ' ' << n << ' ' << show(k) << ' ' << size << ' ' << show(sizes) << ' ' << show(pad) << ' '
       << (shape ? show(*shape) : "none") << ' ' << scale << ' ' << show(eps) << ' ' << show(weights) << ' ' << flag
       << ' ' << (masks ? show(*masks) : "none") << ' ' << mode << ' ' << show(name) << ' ' << code(dtype) << ' '
       << (other ? code(*other) : -1) << ' ' << static_cast<int>(device.type()) << ' '
       << (where ? static_cast<int>(where->type()) : -1) << ' ' << static_cast<int>(layout) << ' '
       << static_cast<int>(format) << ' ' << show(words);
  return text.str();
}

}  // namespace wide::cpu
