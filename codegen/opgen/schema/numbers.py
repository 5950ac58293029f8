"""Numbers as ``std::stoll`` and ``std::stod`` read them, which is what PyTorch's parser calls."""

from __future__ import annotations

import re
import sys

_LEADING_DIGITS = re.compile(r"-?[0-9]+")
_HEXADECIMAL = re.compile(r"(-?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?[0-9]+))?")
_DECIMAL = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MAX_DIGITS = 19  # of a 64-bit integer


class OutOfRangeError(ValueError):
    """The number does not fit: ``std::out_of_range`` in C++."""


class NoNumberError(ValueError):
    """The text does not begin with a number: ``std::invalid_argument`` in C++."""


def stoll(text: str) -> int:
    """Read a 64-bit integer in base 10 and stop at the first character that is no digit (``0x10`` is 0).

    Raises:
        OutOfRangeError: the integer does not fit into 64 bits.
        NoNumberError: the text does not begin with a digit, or a sign and a digit.
    """
    match = _LEADING_DIGITS.match(text)
    if match is None:
        raise NoNumberError(text)
    digits = match[0].lstrip("-").lstrip("0")
    value = 0 if not digits else int(digits) if len(digits) <= _MAX_DIGITS else 2**64
    value = -value if text.startswith("-") else value
    if not -(2**63) <= value < 2**63:
        raise OutOfRangeError(text)
    return value


def stod(text: str) -> float:
    """Read a double, decimal or hexadecimal, and stop where the number ends.

    Raises:
        OutOfRangeError: the result overflows, or, as in glibc, is so small that it had to be rounded.
        NoNumberError: the text does not begin with a number.
    """
    hexadecimal = _HEXADECIMAL.match(text)
    if hexadecimal and (hexadecimal[2] or hexadecimal[3]):
        return _hexadecimal(hexadecimal, text)
    match = _DECIMAL.match(text)
    if match is None:
        raise NoNumberError(text)
    value = float(match[0])
    mantissa = re.split("[eE]", match[0])[0]
    if value in {float("inf"), float("-inf")} or (value == 0 and re.search("[1-9]", mantissa)):
        raise OutOfRangeError(text)
    if _is_rounded_subnormal(value, match[0]):
        raise OutOfRangeError(text)
    return value


def _hexadecimal(match: re.Match[str], text: str) -> float:
    try:
        value = float.fromhex(match[0])
    except OverflowError:
        raise OutOfRangeError(text) from None
    if value == 0 and (match[2] + match[3]).strip("0"):
        raise OutOfRangeError(text)
    if _is_rounded_subnormal(value, int(match[2] + match[3], 16), int(match[4] or 0) - 4 * len(match[3])):
        raise OutOfRangeError(text)
    return value


def _is_rounded_subnormal(value: float, mantissa: str | int, exponent: int = 0) -> bool:
    """Whether ``value`` is subnormal and differs from ``mantissa * 2**exponent``, which glibc calls out of range."""
    if value == 0 or abs(value) > sys.float_info.min:
        return False
    from decimal import Decimal  # noqa: PLC0415 - needed for hardly any number
    from fractions import Fraction  # noqa: PLC0415 - needed for hardly any number

    exact = abs(Fraction(Decimal(mantissa)) * Fraction(2) ** exponent)
    return exact < Fraction(sys.float_info.min) - Fraction(2) ** -1076 and exact != abs(value)
