"""No regular expression of opgen's code takes long over a text that is made for it."""

import math
import os
import signal
import time

import pytest
import regular_expressions as regular

LENGTH = 10_000
NOTICEABLE = 0.1
"""Seconds of processor time. Reading so long a text in one go takes a thousandth of it; each pair of its characters, more."""
GIVEN_UP = 3.0
MOST = 3.0
"""Times that twice the length may cost, of what is noticed at all."""


class TookLongError(Exception):
    """A match goes on and on."""


@pytest.fixture(scope="module", autouse=True)
def impatience():
    def stop(*_):
        raise TookLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    yield
    signal.signal(signal.SIGVTALRM, before)


def seconds(expression, method, text):
    """Return how long the method takes, for ever if it is given up; Python's matcher looks for signals as it goes."""
    start = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, GIVEN_UP)
    try:
        if method in regular.SEARCHES:
            for _ in expression.pattern.finditer(text):
                pass
        else:
            getattr(expression.pattern, method)(text)
    except TookLongError:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - start


def is_slow(expression, method, before, pump, end):
    """Whether time grows faster than the text."""
    text, shorter = (before + pump * length + end for length in (LENGTH, LENGTH // 2))
    taken = seconds(expression, method, text)
    if taken <= NOTICEABLE or taken == math.inf:
        return taken == math.inf
    whole, half = (min(seconds(expression, method, each) for _ in range(3)) for each in (text, shorter))
    return whole > MOST * half


def slow(expression):
    """Return the first text over which an expression takes long."""
    for before, pump in regular.hostile(expression.pattern):
        for method in {"search" if each in regular.SEARCHES else each for each in expression.methods}:
            if is_slow(expression, method, before, pump, "\0"):
                return f"{method}: {before!r}, then {pump!r} again and again"
    return None


@pytest.mark.skipif("OPGEN_FUZZ" not in os.environ, reason="takes most of a minute; OPGEN_FUZZ=150 has it run")
def test_every_regular_expression_of_the_code_reads_in_linear_time():
    found = {}
    for expression in regular.expressions():
        key = (expression.pattern, expression.methods)
        if key not in found:
            found[key] = (expression.place, slow(expression))
    assert len(found) > 150
    assert "\n".join(f"{place} {text}" for place, text in found.values() if text) == ""


@pytest.mark.parametrize("pattern", [r"(a|a)*b", r"\s+$", r"a*a*b", r"<.*?>", r"\w+\.x"])
def test_a_slow_regular_expression_is_found(pattern):
    assert slow(regular.Expression(regular.re.compile(pattern), "here", frozenset({"search"})))
