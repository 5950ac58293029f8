"""What callers see of one version of a library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.source import Location


@dataclass(frozen=True)
class Surface:
    """One side of a comparison.

    Attributes:
        ops: by qualified name.
        backends: the dispatch keys that an op has kernels for; an op of which none is known is left out.
        library: the declaration; ``None`` for sources, of which only schemas and kernels are known.
        unreadable: names of ops that are there, though their schemas can't be read.
        whole: whether what is missing here is known not to be there: every registration of the sources could be read.
        places: where to point at when an op is missing: by the path of its file, and by ``""`` elsewhere.
    """

    ops: Mapping[str, Op]
    backends: Mapping[str, frozenset[str]] = field(default_factory=dict)
    library: Library | None = None
    unreadable: frozenset[str] = frozenset()
    whole: bool = True
    places: Mapping[str, Location] = field(default_factory=dict)

    @property
    def is_declared(self) -> bool:
        """Whether it is an ``ops.yaml``, which says what tensors are like, too."""
        return self.library is not None


def surface_of_library(library: Library) -> Surface:
    """Return the surface of a declaration; ops that are derived are as good as others."""
    spec = library.spec
    return Surface(
        ops={op.qualified_name: op for op in library.ops},
        backends={
            op.qualified_name: frozenset(kernel.dispatch_key for kernel in op.declared.kernels)
            for op in library.ops
            if op.declared.kernels
        },
        library=library,
        places={"": spec.keys.get("ops", spec.namespace.locate())},
    )
