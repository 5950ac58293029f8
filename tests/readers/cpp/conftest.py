import pytest

from opgen.readers.cpp import read_cpp
from opgen.source import Source


@pytest.fixture
def read():
    """Return a function from the text of one C++ file to its registrations."""
    return lambda text, **defines: read_cpp([Source("ops.cpp", text)], defines)


@pytest.fixture
def kernel(read):
    """Return a function from the text of a kernel `f` to the function that a registration of it names."""

    def run(text):
        found = read(f'{text}\nTORCH_LIBRARY_IMPL(lib, CUDA, m) {{ m.impl("op", &f); }}\n')
        return found.implementations[0].function

    return run
