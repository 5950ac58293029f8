"""The peer of ``opgen bench``: what the contract makes is made, what it checks is not."""

import pytest

from opgen.targets.cpp.by_hand import by_hand_file

OP = """\
opgen: 1
namespace: mylib
ops:
  - func: f{}
    autograd: none
    tensors: {{{}}}
"""


@pytest.mark.parametrize(
    ("func", "tensors", "body"),
    [
        (
            "(Tensor x) -> Tensor",
            'x: "float [*batch, 2*d]", return: "x.dtype [*batch, d]"',
            """\
  const checks::Sizes batch = checks::run(x.sizes(), 0, 1);
  const int64_t d = x.size(-1) / 2;
  Tensor out = checks::empty(checks::Shape(batch, d), checks::DtypeCode(x), checks::DeviceCode(x));
  ::mylib::cpu::f(x, out);
  return out;
""",
        ),
        (
            "(Tensor x, Tensor ends) -> Tensor",
            'x: "float [n, d]", ends: "int64 [2*m + 1]", return: "x.dtype [m, d]"',
            """\
  const int64_t d = x.size(1);
  const int64_t m = (ends.size(0) - 1) / 2;
  Tensor out = checks::empty(checks::Shape(m, d), checks::DtypeCode(x), checks::DeviceCode(x));
  ::mylib::cpu::f(x, ends, out);
  return out;
""",
        ),
        (
            "(Tensor x, Tensor? y) -> Tensor",
            'x: "float [n]", y: "x.dtype [m]", return: "x.dtype [(m if given(y) else n)]"',
            """\
  int64_t m = 0;
  const int64_t n = x.size(0);
  if (y.has_value()) {
    m = y->size(0);
  }
  Tensor out = checks::empty(checks::Shape(y.has_value() ? m : n), checks::DtypeCode(x), checks::DeviceCode(x));
  ::mylib::cpu::f(x, y, out);
  return out;
""",
        ),
        (
            "_(Tensor(a!) x, Tensor y) -> Tensor(a!)",
            'x: "float [n]", y: "x.dtype [n]"',
            """\
  ::mylib::cpu::f_(x, y);
  return x;
""",
        ),
        (
            "(Tensor x) -> Tensor",
            'x: "float [n]", return: "int64 [?k<=n]"',
            """\
  return ::mylib::cpu::f(x);
""",
        ),
    ],
    ids=["a size is solved", "with an offset", "bound at times", "nothing is made", "the kernel makes it"],
)
def test_outputs_are_made_and_nothing_is_checked(func, tensors, body, read_library, tmp_path):
    (tmp_path / "ops.yaml").write_text(OP.format(func, tensors), encoding="utf-8")
    library = read_library(tmp_path / "ops.yaml")
    (op,) = library.ops
    text = by_hand_file(library, op, op.kernels[0], "build").content
    assert text.partition(" {\n" + body)[1]
    assert text.count("call(") == 1
