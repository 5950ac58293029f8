"""The status of the ops that hand-written C++ and Python sources register."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath

from opgen.build.status.declared import schema_fact
from opgen.build.status.facts import NOTHING, Fact, Matrix, OpStatus, missing, other, ready
from opgen.diagnostics import Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.readers.registrations import Implementation, Role, is_backend
from opgen.records import dataclass
from opgen.rules.registration.unstated_autograd import lacks_statement
from opgen.rules.registrations.joined import Joined, JoinedOp
from opgen.rules.registrations.macros import shown_op
from opgen.rules.registrations.python.fake_missing import knows_fakes, lacks_fake

_COMPOSITE = "CompositeImplicitAutograd"
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.(py|cpp|cc)")


@dataclass(frozen=True)
class _Library:
    """The facts about all ops that are needed for the status of one.

    Attributes:
        joined: the registrations.
        errors: op -> the number of its errors.
        tested: the words in all test files; ``None`` if there are no test files.
        trained: the namespaces in which some op has an autograd kernel or formula.
        batched: the namespaces in which some op has a vmap rule.
    """

    joined: Joined
    errors: Mapping[str | None, int]
    tested: frozenset[str] | None
    trained: frozenset[str]
    batched: frozenset[str]


def status_of_sources(joined: Joined, found: Iterable[Diagnostic]) -> Matrix:
    """Return the status of each defined op, as far as the sources tell.

    Tests are searched in the sources; if none of these is a test file, nothing is known about tests. A namespace in
    which no op has a gradient, or a vmap rule, does not count as lacking them.
    """
    ops = [one for _, one in sorted(joined.ops.items()) if one.definitions]
    made = {one.name: _Made(one) for one in ops}
    tests = [source for path, source in joined.registrations.sources.items() if _is_test(path)]
    library = _Library(
        joined,
        Counter(one.op for one in found if one.severity is Severity.ERROR),
        frozenset(word for source in tests for word in re.findall(r"\w+", source.text)) if tests else None,
        frozenset(_namespace(name) for name, one in made.items() if one.of("autograd", "Autograd")),
        frozenset(_namespace(name) for name, one in made.items() if one.of("vmap", "FuncTorchBatched")),
    )
    return Matrix(tuple(_status(one, made[one.name], library) for one in ops))


def backends_by_hand(joined: Joined) -> Mapping[str, list[str]]:
    """Return op -> the dispatch keys of backends, or of all backends, for which it has a kernel."""
    return {name: _Made(one).backends for name, one in joined.ops.items()}


def _status(one: JoinedOp, made: _Made, library: _Library) -> OpStatus:
    op = one.op
    facts = {
        "schema": _schema(one, library.errors[one.name]),
        "fake": _fake(one, made, library),
        "autograd": _autograd(one, made, library),
        "autocast": made.of("autocast", "Autocast") or NOTHING,
        "vmap": _vmap(one, made, library),
        "tests": _tests(one.name, library.tested),
        "docs": _docs(one),
    }
    backends = {key: ready("registered") for key in made.backends}
    contract = op.contract.value if op else ""
    return OpStatus(shown_op(one.name), contract, one.definitions[0].statement.location, facts, backends)


class _Made:
    """The registrations for one op."""

    def __init__(self, one: JoinedOp) -> None:
        self._all: tuple[Implementation, ...] = one.implementations
        self.keys = frozenset(key for made in self._all if made.role == "kernel" for key in made.keys)
        given = [each.statement for each in one.definitions if each.statement.function is not None]
        if any(statement.language == "cpp" for statement in given):
            self.keys |= {_COMPOSITE}

    @property
    def backends(self) -> list[str]:
        """The dispatch keys of backends, or of all backends, with a kernel."""
        return sorted(key for key in self.keys if is_backend(key))

    def of(self, role: Role, key: str) -> Fact | None:
        """Return a fact if something with this role, or a kernel on a key with this prefix, is registered."""
        by_key = any(each.startswith(key) for each in self.keys)
        return ready("registered") if by_key or any(made.role == role for made in self._all) else None


def _schema(one: JoinedOp, errors: int) -> Fact:
    if one.op is not None or errors:
        return schema_fact(errors)
    return other("inferred") if all(each.statement.is_name_only for each in one.definitions) else missing("unreadable")


def _fake(one: JoinedOp, made: _Made, library: _Library) -> Fact:
    if _COMPOSITE in made.keys:
        return other("composite")
    registered = made.of("fake", "Meta")
    if registered or not lacks_fake(one):
        return registered or NOTHING
    return missing() if knows_fakes(library.joined, one.name) else other("not read")


def _autograd(one: JoinedOp, made: _Made, library: _Library) -> Fact:
    if _COMPOSITE in made.keys:
        return ready("composite")
    registered = made.of("autograd", "Autograd")
    if registered or one.op is None or not lacks_statement(one.op):
        return registered or NOTHING
    return missing("none") if _namespace(one.name) in library.trained else other("none")


def _vmap(one: JoinedOp, made: _Made, library: _Library) -> Fact:
    """Return the fact about vmap: PyTorch's fallback is a loop, but raises for an op that writes and returns nothing.

    Source: ``aten/src/ATen/functorch/BatchedFallback.cpp``.
    """
    registered = made.of("vmap", "FuncTorchBatched")
    if registered or one.op is None or one.op.contract is not Contract.MUTABLE or _COMPOSITE in made.keys:
        return registered or NOTHING
    return missing("raises") if _namespace(one.name) in library.batched else other("raises")


def _tests(name: str, tested: Collection[str] | None) -> Fact:
    if tested is None:
        return NOTHING
    word = name.partition("::")[2].partition(".")[0]
    return ready("named") if word in tested else missing()


def _docs(one: JoinedOp) -> Fact:
    """Return the fact about a docstring of the function that defines the op; C++ has no place for one."""
    functions = [each.statement.function for each in one.definitions if each.statement.language == "python"]
    nodes = [function.node for function in functions if function and isinstance(function.node, ast.FunctionDef)]
    if not nodes:
        return NOTHING
    return ready("yes") if any(map(ast.get_docstring, nodes)) else missing()


def _is_test(path: str) -> bool:
    return _TEST_FILE.fullmatch(PurePosixPath(path).name) is not None


def _namespace(name: str) -> str:
    return name.partition("::")[0]
