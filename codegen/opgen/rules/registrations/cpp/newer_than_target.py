"""OPG844: a function of the stable ABI that is newer than the torch release which the library targets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.readers.cpp.occurrences import conditional_occurrences
from opgen.readers.registrations import Condition
from opgen.rules.registrations.cpp.stable_features import BY_NAME, FEATURES, PATTERN, TAGS_SINCE, Release
from opgen.rules.registrations.cpp.target import Target, macro_for, stable_target
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.source import Location, Source, Span

_BAD = (
    "#define TORCH_TARGET_VERSION 0x020a000000000000\n"
    "#include <torch/csrc/stable/library.h>\n"
    "STABLE_TORCH_LIBRARY(mylib, m) {\n"
    '  m.def("clear(Tensor(a!) x) -> ()", {at::Tag::pt2_compliant_tag});\n'
    "}\n"
)
CODE = Code(
    id="OPG844",
    name="newer-than-target",
    severity=Severity.ERROR,
    summary="A stable-ABI library uses something that the oldest torch it is built for does not have.",
    why=(
        "The headers of a newer torch hide it behind `TORCH_TARGET_VERSION`, so it does not compile: tags of `m.def` "
        "came with 2.12, `set_python_module`, generators and native streams with 2.13 "
        "(`torch/csrc/stable/library.h`, `torch/csrc/stable/c/shim.h`). If a source declares the function itself, it "
        "compiles, but the library can't be opened on the older release: undefined symbol. The target is that of "
        "`define`, of `-DTORCH_TARGET_VERSION=…` or `#define` in the sources that are read, or `torch:` in an "
        "ops.yaml for the same namespace; without any of these nothing is reported."
    ),
    bad=cpp(_BAD),
    good=cpp(_BAD.replace("020a", "020c")),
    remedy="raise the target, or do without",
)
_GUARDS = ("TORCH_FEATURE_VERSION", "TORCH_TARGET_VERSION", "TORCH_ABI_VERSION", "TORCH_VERSION_")
_C_FUNCTION = "torch_"


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the names in C++ sources, and definitions with tags."""
    target = stable_target(joined.registrations, joined.libraries)
    if target is None:
        return
    for one in joined.definitions:
        statement = one.statement
        is_stable = statement.language == "cpp" and statement.abi == "stable"
        if is_stable and statement.tags and target.release < TAGS_SINCE and not _is_guarded(statement.conditions):
            instead = "define the op in Python, `Library.define(…, tags=…)`"
            yield _found("`m.def` with tags", TAGS_SINCE, target, one.name, statement.location, instead)
    if all(feature.since <= target.release for feature in FEATURES):
        return
    stable = {block.location.source.path for block in joined.registrations.blocks if block.abi == "stable"}
    for path, source in joined.registrations.sources.items():
        for match, _, conditions in _occurrences(path, source):
            name = match[match.lastindex or 0]
            place = Location(source, Span(*match.span(match.lastindex or 0)))
            feature = BY_NAME[name]
            is_meant = path in stable or name.startswith(_C_FUNCTION) or "stable::" in name
            if is_meant and target.release < feature.since and not _is_guarded(conditions):
                yield _found(f"`{name}`", feature.since, target, None, place, feature.instead)


def _occurrences(path: str, source: Source) -> Iterator[tuple[re.Match[str], Location, tuple[Condition, ...]]]:
    is_none = path.endswith((".py", ".pyi")) or not any(name in source.text for name in BY_NAME)
    return iter(()) if is_none else conditional_occurrences(source, PATTERN)


def _is_guarded(conditions: Iterable[Condition]) -> bool:
    return any(guard in condition.text for condition in conditions for guard in _GUARDS)


def _found(  # noqa: PLR0913, PLR0917 - the parts of a sentence
    what: str, since: Release, target: Target, op: str | None, place: Location, instead: str
) -> Diagnostic:
    needed, built_for = (f"{major}.{minor}" for major, minor in (since, target.release))
    message = f"{what} needs torch {needed} on the stable ABI, but the oldest torch of this library is {built_for}"
    raised = f'`torch: ">={needed}"`' if target.stated == "`torch:`" else f"`{macro_for(since)}`"
    notes = (Note("the oldest torch is stated here", target.location),) if target.location else ()
    return found_at(
        CODE,
        op,
        message,
        place,
        help=f"raise the oldest torch, {raised}" + (f", or {instead}" if instead else ""),
        notes=notes,
    )


RULE = RegistrationRule(CODE, check)
