"""The smoke test runs elsewhere, and whatever it does is a result."""

import sys

import pytest

from opgen.build.smoke import run_smoke_test

ASAN = "==1==ERROR: AddressSanitizer\n  #0 0x1\nSUMMARY: AddressSanitizer: overflow k.cpp:7\n==1==ABORTING"
UBSAN = "k.cpp:4:7: runtime error: overflow\nk.cpp:9:9: runtime error: more"


@pytest.mark.parametrize(
    ("script", "results", "complaint"),
    [
        ('print(\'noise\'); print(\'{"ns::f": {"CPU": "ok"}}\')', {"ns::f": {"CPU": "ok"}}, ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", {}, "the smoke test was ended by SIGSEGV"),
        ("raise ImportError('no library')", {}, "the smoke test did not run: ImportError: no library"),
        ("print('[1]')", {}, "the smoke test did not run: it printed no result"),
        ("print('nonsense')", {}, "the smoke test did not run: it printed no result"),
        ("", {}, "the smoke test did not run: it printed no result"),
        ("import os; print(os.environ['WITH'])", {}, "the smoke test did not run: it printed no result"),
        (
            f"import sys; sys.exit({ASAN!r})",
            {},
            "the smoke test was ended by a sanitizer: AddressSanitizer: overflow k.cpp:7",
        ),
        (
            f"import sys; sys.exit({UBSAN!r})",
            {},
            "the smoke test was ended by a sanitizer: k.cpp:4:7: runtime error: overflow",
        ),
    ],
)
def test_results_and_complaints(tmp_path, script, results, complaint):
    (tmp_path / "generated/tests").mkdir(parents=True)
    (tmp_path / "generated/tests/smoke.py").write_text(script)
    run = run_smoke_test(sys.executable, tmp_path, {"WITH": "nonsense"})
    assert (run.results, run.complaint) == (results, complaint)
