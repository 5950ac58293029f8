"""OPG702: the Python package has another name."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, breakage
from opgen.breaking.category import Category
from opgen.breaking.surface import Surface
from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example

_REST = " ops:\n   - func: scale(Tensor x) -> Tensor\n"

CODE = Code(
    id="OPG702",
    name="renamed-package",
    severity=Severity.ERROR,
    summary="The generated Python package has another name.",
    why="Every `import` of the old name fails, so the ops are not registered either.",
    remedy="keep the name, or leave a package of the old name that imports the new one",
    bad=Example(" opgen: 1\n namespace: mylib\n-package: mylib\n+package: mylib_kernels\n" + _REST, "ops.yaml.diff"),
    good=Example(" opgen: 1\n namespace: mylib\n-package: mylib_ops\n" + _REST, "ops.yaml.diff"),
)


def check(old: Surface, new: Surface) -> Iterator[Breakage]:
    """Yield the package, if both sides make one."""
    if old.library is None or new.library is None or old.library.package == new.library.package:
        return
    message = f"the package was '{old.library.package}', and is '{new.library.package}'"
    spec, before = new.library.spec, old.library.spec
    place = spec.keys.get("package", spec.namespace.locate())
    yield breakage(CODE, None, message, [Category.PYTHON], place, before=before.keys.get("package"))
