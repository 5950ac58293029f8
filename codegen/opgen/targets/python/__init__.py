"""The Python half of the generated library: a package that never imports opgen."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library
from opgen.targets.output import OutputFile
from opgen.targets.python.autocast import autocast_files
from opgen.targets.python.autograd import autograd_files
from opgen.targets.python.expressions import expressions_files
from opgen.targets.python.fakes import fakes_file
from opgen.targets.python.kernels import kernels_files
from opgen.targets.python.layers import layers_file
from opgen.targets.python.ops import ops_files
from opgen.targets.python.package import package_files
from opgen.targets.python.schemas import schemas_file
from opgen.targets.python.vmap import vmap_files

__all__ = ["python_files"]


def python_files(library: Library) -> Iterator[OutputFile]:
    """Emit the whole package, its modules in the order in which they are imported."""
    yield from package_files(library)
    yield schemas_file(library)
    yield fakes_file(library)
    yield from expressions_files(library)
    yield from kernels_files(library)
    yield from autocast_files(library)
    yield from autograd_files(library)
    yield from vmap_files(library)
    yield layers_file(library)
    yield from ops_files(library)
