// cpp_types::describe for the dispatch key CPU.
//
//   describe(Tensor x, Tensor? bias, Tensor[] xs, Tensor?[] maybe, int[] dims, SymInt[2] pad, float[] weights, bool[] masks, str[] words, int n, SymInt size, float scale, bool flag, str mode="sum", ScalarType? dtype=None, Device? device=None, Layout? layout=None, MemoryFormat? memory_format=None, int? k=None, float? eps=None, bool? causal=None, str? name=None, int[]? shape=None, Tensor[]? rest=None) -> str
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/describe.cpp"

#include <cpp_types_ops/unit.h>

namespace cpp_types::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "cpp_types::describe: the kernel must be std::string(const Tensor& x, const std::optional<Tensor>& bias, const std::vector<Tensor>& xs, const std::vector<std::optional<Tensor>>& maybe, const std::vector<int64_t>& dims, const std::vector<int64_t>& pad, const std::vector<double>& weights, const std::vector<bool>& masks, const std::vector<std::string>& words, int64_t n, int64_t size, double scale, bool flag, const std::string& mode, std::optional<ScalarType> dtype, std::optional<Device> device, std::optional<Layout> layout, std::optional<MemoryFormat> memory_format, std::optional<int64_t> k, std::optional<double> eps, std::optional<bool> causal, const std::optional<std::string>& name, const std::optional<std::vector<int64_t>>& shape, const std::optional<std::vector<Tensor>>& rest)");
};

template <class Result, class P0, class P1, class P2, class P3, class P4, class P5, class P6, class P7,
          class P8, class P9, class P10, class P11, class P12, class P13, class P14, class P15, class P16,
          class P17, class P18, class P19, class P20, class P21, class P22, class P23>
struct Kernel<signature::Of<Result, P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16,
                            P17, P18, P19, P20, P21, P22, P23>> {
  static_assert(std::is_same_v<Result, std::string>, "cpp_types::describe: the kernel must return std::string");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "cpp_types::describe: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, const std::optional<Tensor>&>,
                "cpp_types::describe: argument 'bias' is Tensor? in the schema, so the kernel must take const std::optional<Tensor>&");
  static_assert(std::is_same_v<P2, const std::vector<Tensor>&>,
                "cpp_types::describe: argument 'xs' is Tensor[] in the schema, so the kernel must take const std::vector<Tensor>&");
  static_assert(std::is_same_v<P3, const std::vector<std::optional<Tensor>>&>,
                "cpp_types::describe: argument 'maybe' is Tensor?[] in the schema, so the kernel must take const std::vector<std::optional<Tensor>>&");
  static_assert(std::is_same_v<P4, const std::vector<int64_t>&>,
                "cpp_types::describe: argument 'dims' is int[] in the schema, so the kernel must take const std::vector<int64_t>&");
  static_assert(std::is_same_v<P5, const std::vector<int64_t>&>,
                "cpp_types::describe: argument 'pad' is SymInt[2] in the schema, so the kernel must take const std::vector<int64_t>&");
  static_assert(std::is_same_v<P6, const std::vector<double>&>,
                "cpp_types::describe: argument 'weights' is float[] in the schema, so the kernel must take const std::vector<double>&");
  static_assert(std::is_same_v<P7, const std::vector<bool>&>,
                "cpp_types::describe: argument 'masks' is bool[] in the schema, so the kernel must take const std::vector<bool>&");
  static_assert(std::is_same_v<P8, const std::vector<std::string>&>,
                "cpp_types::describe: argument 'words' is str[] in the schema, so the kernel must take const std::vector<std::string>&");
  static_assert(std::is_same_v<P9, int64_t>,
                "cpp_types::describe: argument 'n' is int in the schema, so the kernel must take int64_t");
  static_assert(std::is_same_v<P10, int64_t>,
                "cpp_types::describe: argument 'size' is SymInt in the schema, so the kernel must take int64_t");
  static_assert(std::is_same_v<P11, double>,
                "cpp_types::describe: argument 'scale' is float in the schema, so the kernel must take double");
  static_assert(std::is_same_v<P12, bool>,
                "cpp_types::describe: argument 'flag' is bool in the schema, so the kernel must take bool");
  static_assert(std::is_same_v<P13, const std::string&>,
                "cpp_types::describe: argument 'mode' is str in the schema, so the kernel must take const std::string&");
  static_assert(std::is_same_v<P14, std::optional<ScalarType>>,
                "cpp_types::describe: argument 'dtype' is ScalarType? in the schema, so the kernel must take std::optional<ScalarType>");
  static_assert(std::is_same_v<P15, std::optional<Device>>,
                "cpp_types::describe: argument 'device' is Device? in the schema, so the kernel must take std::optional<Device>");
  static_assert(std::is_same_v<P16, std::optional<Layout>>,
                "cpp_types::describe: argument 'layout' is Layout? in the schema, so the kernel must take std::optional<Layout>");
  static_assert(std::is_same_v<P17, std::optional<MemoryFormat>>,
                "cpp_types::describe: argument 'memory_format' is MemoryFormat? in the schema, so the kernel must take std::optional<MemoryFormat>");
  static_assert(std::is_same_v<P18, std::optional<int64_t>>,
                "cpp_types::describe: argument 'k' is int? in the schema, so the kernel must take std::optional<int64_t>");
  static_assert(std::is_same_v<P19, std::optional<double>>,
                "cpp_types::describe: argument 'eps' is float? in the schema, so the kernel must take std::optional<double>");
  static_assert(std::is_same_v<P20, std::optional<bool>>,
                "cpp_types::describe: argument 'causal' is bool? in the schema, so the kernel must take std::optional<bool>");
  static_assert(std::is_same_v<P21, const std::optional<std::string>&>,
                "cpp_types::describe: argument 'name' is str? in the schema, so the kernel must take const std::optional<std::string>&");
  static_assert(std::is_same_v<P22, const std::optional<std::vector<int64_t>>&>,
                "cpp_types::describe: argument 'shape' is int[]? in the schema, so the kernel must take const std::optional<std::vector<int64_t>>&");
  static_assert(std::is_same_v<P23, const std::optional<std::vector<Tensor>>&>,
                "cpp_types::describe: argument 'rest' is Tensor[]? in the schema, so the kernel must take const std::optional<std::vector<Tensor>>&");
};

template struct Kernel<decltype(signature::of(&::cpp_types::cpu::describe))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of cpp_types::describe(Tensor x, Tensor? bias, Tensor[] xs, Tensor?[] maybe, int[] dims, SymInt[2] pad, float[] weights, bool[] masks, str[] words, int n, SymInt size, float scale, bool flag, str mode=\"sum\", ScalarType? dtype=None, Device? device=None, Layout? layout=None, MemoryFormat? memory_format=None, int? k=None, float? eps=None, bool? causal=None, str? name=None, int[]? shape=None, Tensor[]? rest=None) -> str\000";

std::string call(const Tensor& x, const std::optional<Tensor>& bias, const std::vector<Tensor>& xs,
                 const std::vector<std::optional<Tensor>>& maybe, const std::vector<int64_t>& dims,
                 const std::vector<int64_t>& pad, const std::vector<double>& weights,
                 const std::vector<bool>& masks, const std::vector<std::string>& words, int64_t n, int64_t size,
                 double scale, bool flag, const std::string& mode, std::optional<ScalarType> dtype,
                 std::optional<Device> device, std::optional<Layout> layout,
                 std::optional<MemoryFormat> memory_format, std::optional<int64_t> k, std::optional<double> eps,
                 std::optional<bool> causal, const std::optional<std::string>& name,
                 const std::optional<std::vector<int64_t>>& shape,
                 const std::optional<std::vector<Tensor>>& rest) {
  const checks::Checker check("cpp_types::describe");
  check.dtype<bool, uint16_t, int64_t, Float8_e4m3fn, complex<float>>(x, "x");
  return ::cpp_types::cpu::describe(x, bias, xs, maybe, dims, pad, weights, masks, words, n, size, scale, flag,
                                    mode, dtype, device, layout, memory_format, k, eps, causal, name, shape, rest);
}

STABLE_TORCH_LIBRARY_IMPL(cpp_types, CPU, m) {
  records::keep(kRecords);
  m.impl("describe", TORCH_BOX(&call));
}

}  // namespace
}  // namespace cpp_types::generated
