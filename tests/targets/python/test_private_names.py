"""What is private in PyTorch stands in one module, is there on this release, and may be missing on another."""

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

PACKAGES = sorted((Path(__file__).parents[2] / "cases" / "python").glob("*/expected/**/_private.py"))
MODULE = next(path for path in PACKAGES if "hostile" not in path.parts)
PRIVATE = re.compile(r"\btorch(?!\.ops\b)(?:\.\w+)*\._(?!check\b|_)\w+")
PLACES = re.findall(r'_name\("([\w.]+)"\)', MODULE.read_text(encoding="utf-8"))


def load():
    """The module, anew; it imports nothing of its package."""
    spec = importlib.util.spec_from_file_location("private", MODULE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("module", PACKAGES, ids=lambda path: path.relative_to(PACKAGES[0].parents[3]).parts[0])
def test_no_other_module_has_a_private_name(module):
    others = [path for path in module.parent.rglob("*.py") if path != module]
    assert {path.name: PRIVATE.findall(path.read_text(encoding="utf-8")) for path in others} == {
        path.name: [] for path in others
    }


@pytest.mark.torch
@pytest.mark.parametrize("place", PLACES)
def test_this_release_has_each_name(place):
    pytest.importorskip("torch")
    module, _, name = place.rpartition(".")
    assert hasattr(importlib.import_module(module), name)


@pytest.mark.torch
@pytest.mark.parametrize("place", PLACES)
def test_without_a_name_the_rest_is_as_it_was(monkeypatch, place):
    torch = pytest.importorskip("torch")
    module, _, name = place.rpartition(".")
    monkeypatch.delattr(importlib.import_module(module), name)
    private = load()

    assert private.has_kernel("aten::add.Tensor", "CPU")
    assert private.key_for_device("cpu") == "CPU"
    assert not private.has_forward_gradient([torch.ones(1)])
    x = torch.ones(1)
    with private.below_autograd():
        x.add_(1)
    assert x.tolist() == [2.0]
