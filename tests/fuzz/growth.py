"""How reading grows with what is read, as a table: ten times the input may cost fifteen times the processor time.

    python tests/fuzz/growth.py [FRONT_END [WHAT ...]]

Each input is made ten times longer until reading it takes seconds. What grows faster than it may is marked, and ends the
program with 1.
"""

import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

from growing import EVERY, forget, reader

AT_MOST = 15.0
NOTICEABLE = 0.03  # seconds; a ratio of shorter times says how the clock ticks
LONG = 0.5
LONGEST = 200_000


def seconds(read: Callable[[int], None], count: int) -> float:
    """Return the processor time of reading, the median of three where it is short."""
    times: list[float] = []
    while len(times) < 3 and sum(times) < LONG / 2:
        forget()
        gc.collect()
        start = time.process_time()
        read(count)
        times.append(time.process_time() - start)
    return statistics.median(times)


def grown(read: Callable[[int], None]) -> Iterator[tuple[int, float]]:
    """Yield how long each length takes."""
    read(3)  # imports and tables
    count = 20
    while count <= LONGEST:
        taken = seconds(read, count)
        yield count, taken
        if taken > LONG:
            return
        count *= 10


def main() -> int:
    """Print the table."""
    gc.disable()  # how often it runs hangs on all that is alive
    front_end, *names = [*sys.argv[1:], ""] if len(sys.argv) == 1 else sys.argv[1:]
    too_fast = 0
    for each, what in EVERY:
        if (front_end and each != front_end) or (any(names) and what not in names):
            continue
        times = list(grown(reader(each, what)))
        ratios = [
            later / earlier for (_, earlier), (_, later) in pairwise(times) if later > NOTICEABLE and earlier > 1e-3
        ]
        worst = max(ratios, default=0.0)
        too_fast += worst > AT_MOST
        shown = "  ".join(f"{count}: {taken * 1e3:,.0f} ms" for count, taken in times)
        print(f"{each:11}{what:30}{worst:6.1f}x{' <-- ' if worst > AT_MOST else '     '}{shown}", flush=True)  # noqa: T201 - a table for a person
    return 1 if too_fast else 0


if __name__ == "__main__":
    sys.exit(main())
