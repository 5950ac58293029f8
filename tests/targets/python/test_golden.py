"""What is generated in Python, kept as files: ``OPGEN_UPDATE_GOLDEN=1`` rewrites them."""

import os
from pathlib import Path

import pytest

from opgen.model.sample_values import TensorValue
from opgen.model.samples import Sample, Samples, WrongSample
from opgen.targets.python import python_files
from opgen.targets.tests import test_files as files_of_tests
from opgen.targets.tests.op_tests import test_file as file_of_tests

CASES = Path(__file__).parents[2] / "cases" / "python"


@pytest.mark.parametrize("case", ["contracts", "hostile", "kernels"])
def test_a_package_consists_of_the_expected_files(case, resolve):
    library = resolve(CASES / case / "ops.yaml")
    expected = CASES / case / "expected"

    files = {stored(file.path.removeprefix("generated/")): file.content for file in python_files(library)}

    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        write(expected, files)
    assert files == read(expected)


def test_a_test_module_holds_nothing_but_what_its_op_declares(resolve, monkeypatch):
    x, weight = TensorValue((2, 3), "bfloat16", strides=(1, 2)), TensorValue((3,), "bfloat16", offset=1)
    call = {"x": x, "weight": weight, "eps": 1e-6}
    wrong = WrongSample("eps", call | {"eps": -1.0}, "eps", ("argument 'eps'", "expected eps > 0"))
    samples = Samples((Sample("bfloat16-transposed", call),), (wrong,))
    monkeypatch.setattr("opgen.targets.tests.op_tests.make_samples", lambda op: samples)  # noqa: ARG005 - as the original is called
    library = resolve(CASES / "contracts" / "ops.yaml")
    expected = CASES / "contracts" / "rms_norm_tests.py"

    file = file_of_tests(library, next(op for op in library.ops if op.name == "rms_norm"))

    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        expected.write_text(file.content, encoding="utf-8")
    assert (file.path, file.content) == ("generated/tests/test_rms_norm.py", expected.read_text(encoding="utf-8"))


def test_every_path_is_emitted_once_and_no_text_imports_the_generator(resolve):
    library = resolve(CASES / "contracts" / "ops.yaml")
    files = [*python_files(library), *files_of_tests(library)]

    assert len({file.path for file in files}) == len(files)
    for file in files:
        assert not file.content or (file.content.endswith("\n") and not file.content.endswith("\n\n")), file.path
        assert "import opgen" not in file.content
        assert "from opgen" not in file.content


def stored(name):
    """Rename files that git would obey."""
    folder, _, file = name.rpartition("/")
    return f"{folder}/dot{file}".lstrip("/") if file.startswith(".") else name


def read(folder):
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def write(folder, files):
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
