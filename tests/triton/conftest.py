"""Libraries whose Triton kernels are for the CPU, where Triton's interpreter runs them."""

import importlib.util
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def emulate():
    spec = importlib.util.spec_from_file_location("emulate", PROJECT / "tests" / "cuda" / "emulate.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["emulate"] = module
    spec.loader.exec_module(module)
    return module
