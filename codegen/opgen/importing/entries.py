"""Makes entries from registrations: for each op its schema, and the keys and notes that its registrations imply."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from opgen.importing.entry import Entry, Imported
from opgen.importing.kernels import fakes_of, gradients_of, kernels_of
from opgen.importing.places import Places
from opgen.importing.unread import unread, why_no_namespace
from opgen.importing.yaml_text import flow_list, flow_mapping, scalar
from opgen.model.contract import Contract
from opgen.model.op import Op
from opgen.model.tags import CONTRACT_TAGS, KNOWN_TAGS
from opgen.readers.registrations import Definition, Registrations
from opgen.records import dataclass
from opgen.rules.naming import identifier_collision
from opgen.rules.registrations.joined import Defined, Joined, JoinedOp, join
from opgen.rules.registrations.python.fake_missing import lacks_fake
from opgen.schema.printer import print_schema
from opgen.schema.types import is_tensor, is_tensor_list

_ASIDE = frozenset({"bench", "benchmarks", "examples", "test", "tests"})
_ROLES = {"autocast": "autocast", "vmap": "batching rule", "torch_dispatch": "rule for a tensor subclass"}


@dataclass(frozen=True, slots=True)
class Style:
    """The style of entries.

    Attributes:
        is_registered: whether schema and kernels stay hand-written (``registered``), or are to be rewritten as
            skeletons.
        modules: the modules that were imported to read a live process, which the generated package has to import too.
    """

    is_registered: bool
    modules: tuple[str, ...] = ()


def import_ops(
    registrations: Registrations, places: Places, style: Style, namespaces: Collection[str] = ()
) -> Imported:
    """Make an entry for each defined op, and a list of the registrations that could not be read.

    Args:
        registrations: the registrations of all sources and modules of a run.
        places: names sources relative to the folder of the new file.
        style: the style of the entries.
        namespaces: the namespaces whose ops are imported; without any, all.
    """
    joined = join(replace(registrations, definitions=tuple(map(_with_inferred_schema, registrations.definitions))))
    wanted = {name: op for name, op in joined.ops.items() if not namespaces or name.partition("::")[0] in namespaces}
    readable = {name: op for name, op in wanted.items() if op.op is not None and not why_no_namespace(op.op.namespace)}
    counts = Counter(op.op.namespace for op in readable.values() if op.op is not None)
    main = counts.most_common(1)[0][0] if counts else ""
    reader = _Reader(places, style, main)
    entries = tuple(_without_collisions([reader.entry(op) for op in readable.values()], main))
    without_gradient = not any(entry.has_gradient for entry in entries)
    return Imported(
        namespace=main,
        entries=entries,
        unread=tuple(dict.fromkeys(unread(joined, wanted.values(), places, namespaces))),
        imports=tuple(
            dict.fromkeys((*style.modules, *(_modules(joined, wanted.values(), places) if style.is_registered else ())))
        ),
        same_for_all={"autograd": "none"} if without_gradient or style.is_registered else {},
    )


@dataclass(frozen=True)
class _Reader:
    places: Places
    style: Style
    namespace: str

    def entry(self, joined_op: JoinedOp) -> Entry:
        """Return the entry of an op whose schema can be read."""
        defined = _first_readable(joined_op)
        op = defined.op
        assert op is not None  # noqa: S101 - for mypy
        schema = print_schema(op.schema)
        _, _, unqualified = schema.rpartition("::") if "::" in schema.partition("(")[0] else ("", "", schema)
        func = unqualified if op.namespace == self.namespace else f"{op.namespace}::{unqualified}"
        gradients = list(gradients_of(joined_op))
        keys, notes = self._registered(defined) if self.style.is_registered else self._kernels(joined_op, defined)
        needs_gradient = op.contract is Contract.FUNCTIONAL and _is_differentiable(op)
        if not self.style.is_registered and needs_gradient and not gradients:
            keys["autograd"] = "none"
        if doc := _docstring(defined.statement):
            keys["doc"] = scalar(doc)
        notes += [f"fake kernel: {self.places(one.location)}" for one in list(fakes_of(joined_op))[:1]]
        notes += [f"gradient: {self.places(one.location)}" for one in gradients[:1]]
        notes += self._more(joined_op, defined)
        is_untraced = lacks_fake(joined_op)
        notes += ["no fake kernel was found"] if is_untraced else []
        is_elsewhere = self.style.is_registered and "registered" not in keys
        refused = "`registered` needs a source file below the folder of this one" if is_elsewhere else ""
        return Entry(joined_op.name, func, keys, tuple(notes), not is_untraced, bool(gradients), refused)

    def _registered(self, defined: Defined) -> tuple[dict[str, str], list[str]]:
        statement = defined.statement
        file = self.places.file(statement.location.source.path)
        return ({} if file is None else {"registered": scalar(file)}), [self.places(statement.location)]

    def _kernels(self, joined_op: JoinedOp, defined: Defined) -> tuple[dict[str, str], list[str]]:
        statement = defined.statement
        kernels = kernels_of(joined_op, statement)
        keys = {"dispatch": flow_mapping(kernels.dispatch)} if kernels.dispatch else {}
        tags = [tag.value for tag in statement.tags if tag.value not in CONTRACT_TAGS.values()]
        if known := [tag for tag in dict.fromkeys(tags) if tag in KNOWN_TAGS]:
            keys["tags"] = flow_list(known)
        notes = [self.places(statement.location)]
        if kernels.composite is not None:
            notes.append(f"one kernel for all backends and autograd: {self.places(kernels.composite)}")
        notes += [f"kernel for {key}: {self.places(place)}" for key, place in kernels.elsewhere]
        notes += [f"unknown tag: {tag}" for tag in tags if tag not in KNOWN_TAGS]
        return keys, notes

    def _more(self, joined_op: JoinedOp, defined: Defined) -> Iterator[str]:
        """Yield notes on registrations for which there is no key, and on other schemas of the op."""
        first = print_schema(defined.op.schema) if defined.op else ""
        for made in joined_op.implementations:
            if made.role in _ROLES:
                yield f"{_ROLES[made.role]}: {self.places(made.location)}"
        seen = {first}
        for other in joined_op.definitions:
            if other.op is not None and (schema := print_schema(other.op.schema)) not in seen:
                seen.add(schema)
                under = f" ({other.statement.conditions[-1].text})" if other.statement.conditions else ""
                yield f"another schema at {self.places(other.statement.location)}{under}: {schema}"


def _modules(joined: Joined, wanted: Collection[JoinedOp], places: Places) -> Iterator[str]:
    """Yield the modules that load binaries with ops, and those that define ops."""
    paths = dict.fromkeys(load.location.source.path for load in joined.registrations.loads)
    loading = [
        module for path in paths if (module := places.module(path)) and _is_of_library(places.file(path), module)
    ]
    # Importing a module imports its packages first.
    yield from (one for one in loading if not any(one.startswith(f"{other}.") for other in loading))
    for place in (defined.statement.location for op in wanted for defined in op.definitions):
        if module := places.module(place.source.path):
            yield module


def _is_of_library(path: str | None, module: str) -> bool:
    """Whether a module belongs to a package, as scripts, tests and benchmarks may load binaries too."""
    parts = PurePosixPath(path or "").parts
    return ("." in module or parts[-1] == "__init__.py") and _ASIDE.isdisjoint(parts)


def _with_inferred_schema(definition: Definition) -> Definition:
    """Return a definition with the schema that PyTorch infers from the function's type, if the function was read."""
    is_read = definition.language == "cpp" and definition.inferred
    return replace(definition, is_name_only=False) if is_read else definition


def _without_collisions(entries: Sequence[Entry], main: str) -> Iterator[Entry]:
    """Yield entries; those whose names of kernels and files collide with an op of the main namespace are refused."""
    own = {_identifier(entry): entry for entry in entries if entry.name.startswith(f"{main}::") and not entry.refused}
    for entry in entries:
        other = own.get(_identifier(entry), entry)
        code = identifier_collision.CODE.id
        reason = (
            f"{other.name} has this name in kernels and files ({code}); `--namespace` imports one namespace at a time"
        )
        yield replace(entry, refused=reason) if not entry.name.startswith(f"{main}::") and other is not entry else entry


def _identifier(entry: Entry) -> str:
    return entry.name.partition("::")[2].replace(".", "_").lower()


def _first_readable(op: JoinedOp) -> Defined:
    return next(one for one in op.definitions if one.op is not None)


def _is_differentiable(op: Op) -> bool:
    return bool(op.tensor_arguments) and any(is_tensor(one.type) or is_tensor_list(one.type) for one in op.outputs)


def _docstring(statement: Definition) -> str:
    node = statement.function.node if statement.function else None
    text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
    return " ".join((text or "").partition("\n\n")[0].split())
