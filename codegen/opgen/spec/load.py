"""Loads a whole library: ``ops.yaml`` and the files that it includes.

An included file has ``ops`` and, if needed, ``defaults`` and ``include``; all other keys are set once, in the main
file. ``defaults`` apply to the ops of their file and of the files that it includes, so that moving an op to an included
file changes nothing. An included file's own ``defaults`` take precedence, key by key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from opgen.diagnostics import Diagnostic, ordered
from opgen.diagnostics.diagnostic import Note
from opgen.records import dataclass
from opgen.source import Text
from opgen.spec import library_keys as keys
from opgen.spec.codes import DUPLICATE_OP, WRONG_TYPE
from opgen.spec.fields import Fields
from opgen.spec.includes import ProjectFiles
from opgen.spec.library import LibrarySpec, OpSpec
from opgen.spec.op_entry import OpContext, qualified_name, read_op
from opgen.spec.report import Report, describe
from opgen.spec.tables import DEFAULTS_TABLE, INCLUDED_TABLE, LIBRARY_TABLE
from opgen.spec.yaml import Mapping, Read, read_source, shown_path
from opgen.spec.yaml.composer import compose


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The readable part of a library, and all diagnostics.

    The library holds every op whose schema is valid, so that rules can check these in the same run; if a diagnostic is
    an error, nothing may be generated from it. It is ``None`` if not even the namespace is known.
    """

    library: LibrarySpec | None
    diagnostics: tuple[Diagnostic, ...]


def load_library(path: Path, read: Read = read_source, is_file: Callable[[Path], bool] = Path.is_file) -> LoadResult:
    """Read a library from its main file and the files that it includes; an unreadable file is a diagnostic as well.

    ``read`` and ``is_file`` access files; a language server replaces them, for texts that aren't saved yet.
    """
    return _Loader(path, read, is_file).load()


class _Loader:
    def __init__(self, path: Path, read: Read, is_file: Callable[[Path], bool]) -> None:
        self.path = path
        self.read = read
        self.diagnostics: list[Diagnostic] = []
        self.files = ProjectFiles(path, is_file)
        self.ops: dict[str, OpSpec] = {}

    def load(self) -> LoadResult:
        """Read the main file and the files that it includes."""
        root = self._read(self.path)
        if root is None:
            return self._result(None)
        fields = Fields(root, LIBRARY_TABLE, Report(self.diagnostics))
        fields.read_all()
        namespace = fields.get(keys.NAMESPACE_KEY)
        opaque_types = frozenset(fields.get(keys.OPAQUE_TYPES_KEY) or ())
        context = OpContext(namespace.value if namespace else "", opaque_types, defaults=None)
        self._read_ops(self.path, fields, context)
        return self._result(self._library(fields, namespace) if namespace else None)

    def _result(self, library: LibrarySpec | None) -> LoadResult:
        return LoadResult(library, tuple(ordered(self.diagnostics)))

    def _read(self, path: Path) -> Mapping | None:
        source, found = self.read(path)
        self.diagnostics += found
        if source is None:
            return None
        node, found = compose(source)
        self.diagnostics += found
        if node is None or isinstance(node, Mapping):
            return node
        message = f"expected a mapping of keys, found {describe(node)}"
        self.diagnostics.append(Diagnostic(WRONG_TYPE, message, node.location, "write 'opgen: 1' in the first line"))
        return None

    def _read_ops(self, path: Path, fields: Fields, outer: OpContext) -> None:
        """Read the ops of one file, then those of the files that it includes."""
        context = replace(outer, defaults=self._defaults(fields, outer.defaults))
        ops = fields.get(keys.OPS_KEY)
        for node in ops.items if ops else ():
            op = read_op(node, context, self.diagnostics)
            if op is not None:
                self._enter(op, context.namespace)
        for written in fields.get(keys.INCLUDE_KEY) or ():
            included, found = self.files.include(written, path.parent)
            self.diagnostics += found
            root = self._read(included) if included else None
            if included and root:
                inner = Fields(root, INCLUDED_TABLE, Report(self.diagnostics))
                inner.read_all()
                self._read_ops(included, inner, context)

    def _defaults(self, fields: Fields, outer: Fields | None) -> Fields | None:
        node = fields.get(keys.DEFAULTS_KEY)
        if node is None:
            return outer
        defaults = Fields(node, DEFAULTS_TABLE, Report(self.diagnostics), outer)
        defaults.read_all()
        return defaults

    def _enter(self, op: OpSpec, namespace: str) -> None:
        name = qualified_name(str(op.schema.name), namespace)
        first = self.ops.setdefault(name, op)
        if first is not op:
            note = Note("it is declared here first", first.func.locate(first.schema.name.span))
            message = f"the op '{name}' is declared twice"
            place = op.func.locate(op.schema.name.span)
            help_ = f"rename one of them, or give it another overload name: `{op.schema.name.name}.NAME(…)`"
            self.diagnostics.append(Diagnostic(DUPLICATE_OP, message, place, help_, name, (note,)))

    def _library(self, fields: Fields, namespace: Text) -> LibrarySpec:
        return LibrarySpec(
            path=shown_path(self.path),
            files=tuple(shown_path(path) for path in self.files.paths),
            version=fields.get(keys.OPGEN_KEY) or keys.FORMAT_VERSION,
            namespace=namespace,
            package=fields.get(keys.PACKAGE_KEY) or f"{namespace.value}_ops",
            torch=fields.get(keys.TORCH_KEY) or keys.OLDEST_TORCH,
            abi=fields.get(keys.LIBRARY_ABI_KEY) or "stable",
            define_in=fields.get(keys.DEFINE_IN_KEY) or "python",
            dtypes=fields.get(keys.DTYPES_KEY) or {},
            opaque_types=fields.get(keys.OPAQUE_TYPES_KEY) or (),
            imports=fields.get(keys.IMPORTS_KEY) or (),
            tag_out=fields.get(keys.TAG_OUT_KEY) or False,
            keys=fields.written,
            unread=fields.unread,
            ops=tuple(self.ops.values()),
        )
