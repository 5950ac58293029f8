// kin::ends.of for the dispatch key CPU.
//
//   ends.of(Tensor x, *, SymInt count=1) -> (Tensor first, Tensor last)
//   ends.of_out(Tensor x, *, SymInt count=1, Tensor(a!) first, Tensor(b!) last) -> (Tensor(a!), Tensor(b!))
//
// The kernel comes first: with a prototype in sight, one with other parameters would be an overload, not an error.
#include "kernels/cpu/ends_of.cpp"

#include <kin_ops/unit.h>

namespace kin::generated {
namespace {

template <class Signature>
struct Kernel {
  static_assert(sizeof(Signature) == 0,
                "kin::ends.of: the kernel must be void(const Tensor& x, int64_t count, Tensor& first, Tensor& last)");
};

template <class Result, class P0, class P1, class P2, class P3>
struct Kernel<signature::Of<Result, P0, P1, P2, P3>> {
  static_assert(std::is_same_v<Result, void>, "kin::ends.of: the kernel must return void");
  static_assert(std::is_same_v<P0, const Tensor&>,
                "kin::ends.of: argument 'x' is Tensor in the schema, so the kernel must take const Tensor&");
  static_assert(std::is_same_v<P1, int64_t>,
                "kin::ends.of: argument 'count' is SymInt in the schema, so the kernel must take int64_t");
  static_assert(std::is_same_v<P2, Tensor&>,
                "kin::ends.of: output 'first' is allocated before the kernel runs, so the kernel must take Tensor&");
  static_assert(std::is_same_v<P3, Tensor&>,
                "kin::ends.of: output 'last' is allocated before the kernel runs, so the kernel must take Tensor&");
};

template struct Kernel<decltype(signature::of(&::kin::cpu::ends_of))>;

// What `opgen audit` finds in the binary.
const char kRecords[] =
    "opgen: CPU kernel of kin::ends.of(Tensor x, *, SymInt count=1) -> (Tensor first, Tensor last)\000"
    "opgen: CPU kernel of kin::ends.of_out(Tensor x, *, SymInt count=1, Tensor(a!) first, Tensor(b!) last) -> (Tensor(a!), Tensor(b!))\000";

std::tuple<Tensor, Tensor> call(const Tensor& x, int64_t count) {
  const checks::Checker check("kin::ends.of");
  check.rank(x, "x", 1, "[n]");
  check.dtype<float, double>(x, "x");
  const int64_t n = x.size(0);
  check.argument(0 < count, "count", "0 < count <= n", {{"count", count}});
  check.condition(count <= n, "0 < count <= n", {{"count", count}, {"n = x.size(0)", n}});
  check.output_size("first", 0, count, "count");
  check.output_size("last", 0, count, "count");
  Tensor first = checks::empty(checks::Shape(count), checks::DtypeCode(x), checks::DeviceCode(x));
  Tensor last = checks::empty(checks::Shape(count), checks::DtypeCode(x), checks::DeviceCode(x));
  ::kin::cpu::ends_of(x, count, first, last);
  return {first, last};
}

void write_out(const Tensor& x, int64_t count, Tensor& first, Tensor& last) {
  const checks::Checker check("kin::ends.of_out");
  check.rank(x, "x", 1, "[n]");
  check.rank(first, "first", 1, "[count]");
  check.rank(last, "last", 1, "[count]");
  check.dtype<float, double>(x, "x");
  check.same_dtype(first, "first", x, "x");
  check.same_dtype(last, "last", x, "x");
  check.same_device(first, "first", x, "x");
  check.same_device(last, "last", x, "x");
  const int64_t n = x.size(0);
  check.size(first, "first", 0, count, "count");
  check.size(last, "last", 0, count, "count");
  check.argument(0 < count, "count", "0 < count <= n", {{"count", count}});
  check.condition(count <= n, "0 < count <= n", {{"count", count}, {"n = x.size(0)", n}});
  check.output_size("first", 0, count, "count");
  check.output_size("last", 0, count, "count");
  const writes::Common common = writes::refuse_overlap("kin::ends.of_out", /*same_is_fine=*/true,
                                                       {
                                                           {"x", writes::Role::read, x},
                                                           {"first", writes::Role::written, first},
                                                           {"last", writes::Role::written, last},
                                                       });
  if (abi::is_grad_enabled()) {
    writes::refuse_grad_out("ends", x);
    writes::refuse_grad_out("ends", first);
    writes::refuse_grad_out("ends", last);
  }
  writes::begin(first);
  writes::begin(last);
  const bool first_fits = first.is_contiguous() && common == writes::Common::none;
  Tensor first_filled = first;
  if (!first_fits) {
    first_filled = checks::empty(checks::Shape(count), checks::DtypeCode(x), checks::DeviceCode(x));
  }
  const bool last_fits = last.is_contiguous() && common == writes::Common::none;
  Tensor last_filled = last;
  if (!last_fits) {
    last_filled = checks::empty(checks::Shape(count), checks::DtypeCode(x), checks::DeviceCode(x));
  }
  ::kin::cpu::ends_of(x, count, first_filled, last_filled);
  if (!first_fits) writes::copy(first, first_filled);
  if (!last_fits) writes::copy(last, last_filled);
}

std::tuple<Tensor, Tensor> call_out(const Tensor& x, int64_t count, Tensor& first, Tensor& last) {
  generated::write_out(x, count, first, last);
  return {first, last};
}

STABLE_TORCH_LIBRARY_IMPL(kin, CPU, m) {
  records::keep(kRecords);
  m.impl("ends.of", TORCH_BOX(&call));
  m.impl("_ends_of_out_write", TORCH_BOX(&write_out));
  m.impl("ends.of_out", TORCH_BOX(&call_out));
}

}  // namespace
}  // namespace kin::generated
