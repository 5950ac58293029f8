"""Represents the sources as modules that import each other."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable
from dataclasses import field
from functools import cached_property
from pathlib import PurePosixPath

from opgen.readers.python.lifetime import Uses
from opgen.readers.python.places import FunctionNode, Places
from opgen.readers.python.scope import Scope
from opgen.records import dataclass
from opgen.source import Source

_BUDGET = 200_000
_BUDGET_PER_CHARACTER = 10

# ``register = torch.library.register_fake`` counts as well.
_CALLED = re.compile(r"\b(\w+)\s*\(|@\s*(?:\w+\s*\.\s*)*(\w+)|\blibrary\s*\.\s*(\w+)")


@dataclass(eq=False)
class Module:
    """A source as a module; it is parsed when its syntax tree is first needed.

    Attributes:
        source: its text.
        scope: the values of its names.
        is_loaded: whether its statements have been interpreted.
        budget: the number of values that may still be evaluated on its behalf; nested loops and helpers of helpers could
            otherwise take forever. Each module has its own, so that none is read less because of another one.
    """

    source: Source
    scope: Scope = field(init=False)
    is_loaded: bool = field(init=False)
    budget: int = field(init=False)
    _uses: dict[ast.AST, Uses] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start without values."""
        self.restart()

    def restart(self) -> None:
        """Forget the values of its names."""
        self.scope, self.is_loaded = Scope(), False
        self.budget = _BUDGET + _BUDGET_PER_CHARACTER * len(self.source.text)

    @cached_property
    def places(self) -> Places:
        """The locations of its nodes."""
        return Places(self.source)

    @cached_property
    def _parsed(self) -> tuple[ast.Module, SyntaxError | None]:
        empty = ast.Module([], [])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about invalid escapes in the source
                return ast.parse(self.source.text), None
        except SyntaxError as error:
            return empty, error
        except (ValueError, RecursionError, MemoryError) as error:  # NUL bytes; extremely deep nesting
            return empty, SyntaxError(str(error) or "the nesting is too deep")

    @property
    def tree(self) -> ast.Module:
        """Its syntax tree; empty after a syntax error."""
        return self._parsed[0]

    @property
    def error(self) -> SyntaxError | None:
        """The syntax error, or ``None``."""
        return self._parsed[1]

    @cached_property
    def has_late_annotations(self) -> bool:
        """Whether ``from __future__ import annotations`` keeps annotations as strings."""
        imports = [statement for statement in self.tree.body if isinstance(statement, ast.ImportFrom)]
        return any(one.module == "__future__" and "annotations" in {name.name for name in one.names} for one in imports)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of each node in the tree."""
        return {child: parent for parent in ast.walk(self.tree) for child in ast.iter_child_nodes(parent)}

    def uses_in(self, owner: ast.AST) -> Uses:
        """Return the names in a function of this module, or in the whole of it."""
        if owner not in self._uses:
            self._uses[owner] = Uses(owner, self.parents)
        return self._uses[owner]

    def calls(self, function: FunctionNode, names: Container[str]) -> bool:
        """Whether a function may call, or be decorated by, one of these unqualified names; a search in its text."""
        first = min((function.lineno, *(one.lineno for one in getattr(function, "decorator_list", ()))))
        called, lines = self._called
        start, end = bisect_left(lines, first), bisect_right(lines, function.end_lineno or first)
        return any(name in names for name in called[start:end])

    @cached_property
    def _called(self) -> tuple[list[str], list[int]]:
        """The names in the text that may be called, and the line of each."""
        names: list[str] = []
        lines: list[int] = []
        line, position = 1, 0
        for match in _CALLED.finditer(self.source.text):
            line, position = line + self.source.text.count("\n", position, match.start()), match.start()
            names.append(match[match.lastindex or 0])
            lines.append(line)
        return names, lines

    @cached_property
    def path(self) -> tuple[str, ...]:
        """Its dotted name by its path: ``("python", "mylib", "ops")``; for ``__init__.py`` that of the folder."""
        path = PurePosixPath(self.source.path)
        parts = path.parts[:-1] if path.stem == "__init__" else (*path.parts[:-1], path.stem)
        return tuple(part for part in parts if part not in {"/", "."})

    @property
    def package(self) -> tuple[str, ...]:
        """The package that its relative imports start from."""
        return self.path if PurePosixPath(self.source.path).stem == "__init__" else self.path[:-1]


class Project:
    """All modules, which are found by the names in imports."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.modules = [Module(source) for source in sources]
        self._by_last: dict[str, list[Module]] = {}
        self._mentions: dict[str, list[Module]] = {}
        for module in self.modules:
            if module.path:
                self._by_last.setdefault(module.path[-1], []).append(module)

    def absolute(self, name: tuple[str, ...], importer: Module) -> Module | None:
        """Find the module of an absolute import; of several candidates the one nearest to the importer.

        A name without dots must be a module at the top of the sources or beside the importer: ``import torch`` doesn't
        mean ``backends/torch.py``.
        """
        if not name or name[0] == "torch" or name[0] in sys.stdlib_module_names:
            return None
        found = [
            module
            for module in self._by_last.get(name[-1], ())
            if module.path[-len(name) :] == name
            and (len(name) > 1 or module.path == name or module.path[:-1] == importer.path[:-1])
        ]
        return max(found, key=lambda module: _common(module.path, importer.path), default=None)

    def relative(self, name: tuple[str, ...], level: int, importer: Module) -> tuple[Module | None, tuple[str, ...]]:
        """Return the module of a relative import, ``None`` if it isn't among the sources, and its full name."""
        package = importer.package
        full = (*package[: len(package) - level + 1], *name)
        return self.at(full), full

    def at(self, path: tuple[str, ...]) -> Module | None:
        """Find a module by its whole path."""
        named = self._by_last.get(path[-1], ()) if path else ()
        return next((module for module in named if module.path == path), None)

    def mentioning(self, texts: Iterable[str]) -> list[Module]:
        """Return the modules whose source contains one of the texts; names only count as whole words."""
        found = {module for text in texts for module in self._mentioning(text)}
        return [module for module in self.modules if module in found]

    def _mentioning(self, text: str) -> list[Module]:
        if text not in self._mentions:
            word = re.compile(rf"\b{text}\b" if text.isidentifier() else re.escape(text))
            likely = (module for module in self.modules if text in module.source.text)
            self._mentions[text] = [module for module in likely if word.search(module.source.text)]
        return self._mentions[text]

    def restart(self) -> None:
        """Forget the names that interpreting the modules has bound."""
        for module in self.modules:
            module.restart()


def _common(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count
