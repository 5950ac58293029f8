"""Codes of the reasons why a generated file can't be written."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity

EDITED = Code(
    id="OPG801",
    name="edited-generated-file",
    severity=Severity.ERROR,
    summary="A generated file was changed by hand.",
    why=(
        "The next run would silently discard the change. The first line of every generated file contains a hash of "
        "the rest, which no longer matches."
    ),
    remedy=(
        "move the change to ops.yaml or to a kernel file, then delete the generated file or run "
        "`opgen generate --force`, which overwrites it"
    ),
)

FOREIGN = Code(
    id="OPG802",
    name="foreign-file-in-the-way",
    severity=Severity.ERROR,
    summary="A file that opgen did not write is at the path of a generated one.",
    why="opgen overwrites only files that it wrote itself, which it recognises by the @generated line.",
    remedy="move the file elsewhere, or run `opgen generate --force`, which overwrites it",
)

UNUSABLE = Code(
    id="OPG803",
    name="unusable-output-path",
    severity=Severity.ERROR,
    summary="An output path can't be written.",
    why=(
        "A folder is at the path of a file, a file at the path of a folder, a link leads out of the project, or the "
        "system denies access. opgen writes nothing outside the project, and nothing at all unless it can write "
        "everything."
    ),
    remedy="clear the way, or repair the permissions of the folder",
)

COLLISION = Code(
    id="OPG804",
    name="paths-differ-only-in-case",
    severity=Severity.ERROR,
    summary="The names of two generated files differ only in case.",
    why="On macOS and Windows, one of them would overwrite the other in every checkout.",
    remedy="rename one of the two ops",
)

STRAY_KERNEL = Code(
    id="OPG806",
    name="kernel-of-no-op",
    severity=Severity.WARNING,
    summary=(
        "A kernel file belongs to no op: its op was removed, or a new skeleton was written beside it for another one."
    ),
    why=(
        "A kernel is found by the name of its op. If you rename an op, rename its kernel too. opgen never removes "
        "what an author wrote, so the kernel of a removed op stays; the run that removes the op's generated files "
        "reports it."
    ),
    remedy="give the file and the function in it the new name of the op, or delete the file",
)

LOCKED = Code(
    id="OPG805",
    name="project-is-locked",
    severity=Severity.ERROR,
    summary="Another opgen process is working in the same project.",
    why="Two processes that write to one folder would remove each other's files.",
    remedy="wait until it is done, or end it",
)
