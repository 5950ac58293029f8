"""The codes of this room: what may stand between a generated file and its place."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity

EDITED = Code(
    id="OPG801",
    name="edited-generated-file",
    severity=Severity.ERROR,
    summary="A generated file was changed by hand.",
    why=(
        "The next run would throw the change away without a word. The first line of every generated file holds a hash "
        "of the rest, which no longer fits."
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
    summary="A file that opgen did not write stands where a generated one belongs.",
    why="opgen overwrites only what it wrote itself, which it knows by the @generated line.",
    remedy="move the file elsewhere, or run `opgen generate --force`, which overwrites it",
)

UNUSABLE = Code(
    id="OPG803",
    name="unusable-output-path",
    severity=Severity.ERROR,
    summary="An output path can't be written.",
    why=(
        "A folder stands where a file belongs, a file where a folder belongs, a link leads out of the project, or the "
        "system refuses. opgen writes nothing outside of the project, and nothing at all unless it can write everything."
    ),
    remedy="clear the way, or repair the permissions of the folder",
)

COLLISION = Code(
    id="OPG804",
    name="paths-differ-only-in-case",
    severity=Severity.ERROR,
    summary="Two generated files differ only in the case of their names.",
    why="On macOS and Windows one of the two would overwrite the other, in every checkout.",
    remedy="rename one of the two ops",
)

STRAY_KERNEL = Code(
    id="OPG806",
    name="kernel-of-no-op",
    severity=Severity.WARNING,
    summary="A kernel file belongs to no op: its op went, or a skeleton for another one is written beside it.",
    why=(
        "A kernel is found by the name of its op. Where an op was renamed, its kernel has to follow. What an author wrote is never "
        "removed, so the kernel of an op that went stays; it is said by the run that removes what was generated for the op."
    ),
    remedy="give the file and the function in it the new name of the op, or delete the file",
)

LOCKED = Code(
    id="OPG805",
    name="project-is-locked",
    severity=Severity.ERROR,
    summary="Another opgen is at work in the same project.",
    why="Two writers of one folder would each remove what the other one wrote.",
    remedy="wait until it is done, or end it",
)
