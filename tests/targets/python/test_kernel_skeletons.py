"""The first text of a kernel in Python."""

from opgen.targets.python import python_files

DECLARATION = """
opgen: 1
namespace: mylib
ops:
  - func: quantise(Tensor x, Tensor? scale=None) -> (Tensor q, Tensor? new_scale)
    dispatch: {CPU: python}
    tensors: {x: "float [n]", scale: "float32 [1]", q: "int8 [n]", new_scale: "None if given(scale) else float32 [1]"}
"""


def test_an_output_that_may_be_absent_is_passed_as_an_optional_one(tmp_path, resolve):
    (tmp_path / "ops.yaml").write_text(DECLARATION, encoding="utf-8")

    files = {file.path: file.content for file in python_files(resolve(tmp_path / "ops.yaml"))}

    head = "def quantise(x: Tensor, scale: Tensor | None, q: Tensor, new_scale: Tensor | None) -> None:"
    assert head in files["kernels/cpu/quantise.py"]
