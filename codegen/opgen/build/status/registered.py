"""The status of what hand-written C++ and Python sources register."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from opgen.build.status.declared import schema_fact
from opgen.build.status.facts import NOTHING, Fact, Matrix, OpStatus, missing, other, ready
from opgen.diagnostics import Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Op
from opgen.readers.registrations import Implementation, Role, is_backend
from opgen.rules.registration.unstated_autograd import lacks_statement
from opgen.rules.registrations.joined import Joined, JoinedOp
from opgen.rules.registrations.python.fake_missing import lacks_fake
from opgen.source import Source

_COMPOSITE = "CompositeImplicitAutograd"
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.(py|cpp|cc)")


def status_of_sources(joined: Joined, found: Iterable[Diagnostic]) -> Matrix:
    """Return how ready each op is that is defined, as far as the sources tell.

    Tests are looked for among the sources: what no file was read of is not known.
    """
    errors = Counter(one.op for one in found if one.severity is Severity.ERROR)
    tests = [source for path, source in joined.registrations.sources.items() if _is_test(path)]
    words = frozenset(word for source in tests for word in _words(source)) if tests else None
    ops = [one for _, one in sorted(joined.ops.items()) if one.definitions]
    return Matrix(tuple(_status(one, errors[one.name], words) for one in ops))


def _status(one: JoinedOp, errors: int, tested: Collection[str] | None) -> OpStatus:
    made = _Made(one)
    op = one.op
    facts = {
        "schema": missing("unreadable") if op is None and not errors else schema_fact(errors),
        "fake": _fake(one, made),
        "autograd": _autograd(op, made),
        "autocast": made.of("autocast", "Autocast") or NOTHING,
        "vmap": made.of("vmap", "FuncTorchBatched") or _without_vmap(op),
        "tests": _tests(one.name, tested),
        "docs": _docs(one),
    }
    backends = {key: ready("registered") for key in made.backends}
    contract = op.contract.value if op else ""
    return OpStatus(one.name, contract, one.definitions[0].statement.location, facts, backends)


class _Made:
    """What is registered for an op."""

    def __init__(self, one: JoinedOp) -> None:
        self._all: tuple[Implementation, ...] = one.implementations
        self.keys = frozenset(key for made in self._all if made.role == "kernel" for key in made.keys)
        given = [each.statement for each in one.definitions if each.statement.function is not None]
        if any(statement.language == "cpp" for statement in given):
            self.keys |= {_COMPOSITE}

    @property
    def backends(self) -> list[str]:
        """The keys with a kernel of a backend, or of all."""
        return sorted(key for key in self.keys if is_backend(key))

    def of(self, role: Role, key: str) -> Fact | None:
        """Say that something of a role is registered, or a kernel on a key that begins so."""
        by_key = any(each.startswith(key) for each in self.keys)
        return ready("registered") if by_key or any(made.role == role for made in self._all) else None


def _fake(one: JoinedOp, made: _Made) -> Fact:
    if _COMPOSITE in made.keys:
        return other("composite")
    registered = made.of("fake", "Meta")
    if registered:
        return registered
    return missing() if lacks_fake(one) else NOTHING


def _autograd(op: Op | None, made: _Made) -> Fact:
    if _COMPOSITE in made.keys:
        return ready("composite")
    registered = made.of("autograd", "Autograd")
    if registered:
        return registered
    return missing() if op and lacks_statement(op) else NOTHING


def _without_vmap(op: Op | None) -> Fact:
    """Judge what PyTorch's fallback makes of an op: a loop, but of an op that writes and returns nothing it makes an error.

    Source: ``batchedTensorForLoopFallback`` in ``aten/src/ATen/LegacyVmapTransforms.cpp`` and ``BatchedFallback.cpp``.
    """
    return missing("raises") if op and op.contract is Contract.MUTABLE else NOTHING


def _tests(name: str, tested: Collection[str] | None) -> Fact:
    if tested is None:
        return NOTHING
    word = name.partition("::")[2].partition(".")[0]
    return ready("named") if word in tested else missing()


def _docs(one: JoinedOp) -> Fact:
    """Look for the docstring of the function that defines the op; C++ has no place for one."""
    functions = [each.statement.function for each in one.definitions if each.statement.language == "python"]
    nodes = [function.node for function in functions if function and isinstance(function.node, ast.FunctionDef)]
    if not nodes:
        return NOTHING
    return ready("yes") if any(map(ast.get_docstring, nodes)) else missing()


def _is_test(path: str) -> bool:
    return _TEST_FILE.fullmatch(PurePosixPath(path).name) is not None


def _words(source: Source) -> Iterable[str]:
    return re.findall(r"\w+", source.text)
