"""Finds CUDA kernel launches and device guards in a function."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.readers.cpp.lexical import closing, without_literals
from opgen.readers.cpp.macros import split
from opgen.readers.registrations import Function
from opgen.records import dataclass
from opgen.source import Location, Span, Text

_LAUNCH = re.compile(
    r"(?<!\w)(?<!\w::)([A-Za-z_][\w:]*)\s*(?:<(?:(?!<<<)[^;{}]){0,299}?>\s*)?<<<((?:(?!<<<)[^;{}]|\{[^;{}]{0,99}\}){0,999}?)>>>\s*\("
)
_GUARD = re.compile(
    r"\b(?:\w{0,60}(?:Device|CUDA|HIP|XPU|MUSA|NPU|MPS|Accelerator)\w{0,60}Guard\w*|\w{0,60}DEVICE_GUARD\w*|(?:cuda|hip)SetDevice)\b"
)
_STREAM_POSITION = 3


@dataclass(frozen=True)
class Launch:
    """A launch ``kernel<<<grid, block, bytes, stream>>>(…)``; ``stream`` as it is written, ``None`` without one."""

    kernel: str
    stream: str | None
    location: Location


def launches(function: Function) -> Iterator[Launch]:
    """Yield the kernel launches in a function's body."""
    if function.body is None or "<<<" not in function.body.value:
        return
    code = without_literals(function.body.value)
    for match in _LAUNCH.finditer(code):
        configuration = split(function.body, code, Span(*match.span(2)))
        stream = configuration[_STREAM_POSITION].value if len(configuration) > _STREAM_POSITION else None
        end = closing(code, match.end() - 1) or match.end()
        yield Launch(match[1], stream, function.body.locate(Span(match.start(), end)))


def device_guards(function: Function) -> Iterator[Text]:
    """Yield the names of device guards (``CUDAGuard``), and of calls that set the device."""
    if function.body is not None:
        for match in _GUARD.finditer(without_literals(function.body.value)):
            yield function.body.part(Span(*match.span()))
