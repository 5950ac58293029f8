"""What holds for all tests."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

# Tests run the opgen that stands here, not what it found yesterday; those of the cache name a folder of their own.
os.environ["OPGEN_NO_CACHE"] = "1"


@pytest.fixture(scope="session")
def emulate():
    """Return the module that makes libraries whose kernels for GPUs run on the CPU."""
    spec = importlib.util.spec_from_file_location("emulate", Path(__file__).parent / "cuda" / "emulate.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["emulate"] = module
    spec.loader.exec_module(module)
    return module
