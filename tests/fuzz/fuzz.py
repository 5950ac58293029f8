"""Fuzz a front end, guided by the coverage of opgen's own code (https://github.com/google/atheris, ``pip install atheris``).

    python tests/fuzz/fuzz.py schema -max_total_time=600 FOLDER

The first word is one of ``front_ends.FRONT_ENDS``; the rest is libFuzzer's. FOLDER holds what is begun with, and keeps what
reached new code. An input that raises is printed and stands in a file ``crash-...``, one that takes seconds in ``slow-unit-...``;
it becomes a case of ``test_front_ends.py`` with its mend.
"""

import sys

import atheris

with atheris.instrument_imports(include=["opgen"]):
    from front_ends import FRONT_ENDS

LONGEST = 4096  # characters; longer inputs only repeat what shorter ones show


def main() -> None:
    """Run libFuzzer; it ends the process."""
    front_end = FRONT_ENDS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, lambda data: front_end(data[: 4 * LONGEST].decode("utf-8", "replace")[:LONGEST]))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
