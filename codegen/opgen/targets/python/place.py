"""The folder of the generated package."""

from __future__ import annotations

from opgen.model.op import Library


def folder(library: Library) -> str:
    """Return the package's folder, relative to that of ``ops.yaml``: ``generated/acme/ops`` for ``acme.ops``."""
    return f"generated/{library.package.replace('.', '/')}"
