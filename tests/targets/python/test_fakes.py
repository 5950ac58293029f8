"""Fake kernels that their authors wrote."""

from opgen.targets.python.fakes import fakes_file


def test_an_own_fake_gets_arguments_that_are_called_like_builtins(resolve, tmp_path):
    path = tmp_path / "ops.yaml"
    path.write_text(
        "opgen: 1\nnamespace: mylib\nops:\n"
        "  - func: crop(Tensor x, int len, *, int torch) -> Tensor\n"
        "    fake: own.module:fake_crop\n"
    )
    text = fakes_file(resolve(path)).content
    assert 'import_module("own.module").fake_crop(x, len_, **{"torch": torch_})' in text
