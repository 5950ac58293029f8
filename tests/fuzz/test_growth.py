"""Ten times the input makes at most fifteen times the calls of functions, a measure that no load of the machine changes.

What grows faster inside of a single call, such as the copy of a list, shows in the times of ``growth.py``.
"""

import cProfile
import pstats

import pytest
from growing import EVERY, forget, reader

MOST = 15
BELOW_THE_BOUND = {("library", "runs of dims"): 30}
"""The generated tests break each promise of an op in a call of its own, which holds all of its arguments: a square, until
`model/samples/limits.py` ends it. `tests/model/test_samples.py` holds the bound."""
FEW = {"library": 2, "expression": 2, "import_cpp": 10, "import_python": 10}


def calls(read, count):
    """Return how many functions are called, those of C too."""
    forget()
    profile = cProfile.Profile()
    profile.runcall(read, count)
    return pstats.Stats(profile).total_calls


@pytest.mark.parametrize(("front_end", "what"), EVERY)
def test_calls_grow_with_the_input(front_end, what):
    read = reader(front_end, what)
    few = FEW.get(front_end, 30)
    read(3)  # imports and tables
    assert calls(read, 10 * few) <= BELOW_THE_BOUND.get((front_end, what), MOST) * calls(read, few)


def test_what_grows_faster_is_found():
    def read(count):
        for _ in range(count * count):
            len("")

    assert calls(read, 300) > MOST * calls(read, 30)
