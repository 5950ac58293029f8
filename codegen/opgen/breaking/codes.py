"""The codes of this room: each stands, with how it is found, in a file of its own below `rules`."""

from __future__ import annotations

from opgen.breaking.rules.changed_default import CODE as CHANGED_DEFAULT
from opgen.breaking.rules.changed_dots import CODE as CHANGED_DOTS
from opgen.breaking.rules.changed_kernel import CODE as CHANGED_KERNEL
from opgen.breaking.rules.changed_result import CODE as CHANGED_RESULT
from opgen.breaking.rules.changed_return import CODE as CHANGED_RETURN
from opgen.breaking.rules.changed_role import CODE as CHANGED_ROLE
from opgen.breaking.rules.changed_sharing import CODE as CHANGED_SHARING
from opgen.breaking.rules.changed_tags import CODE as CHANGED_TAGS
from opgen.breaking.rules.changed_transforms import CODE as CHANGED_TRANSFORMS
from opgen.breaking.rules.changed_type import CODE as CHANGED_TYPE
from opgen.breaking.rules.changed_writes import CODE as CHANGED_WRITES
from opgen.breaking.rules.cpp_signature import CODE as CPP_SIGNATURE
from opgen.breaking.rules.fewer_backends import CODE as FEWER_BACKENDS
from opgen.breaking.rules.fewer_releases import CODE as FEWER_RELEASES
from opgen.breaking.rules.inserted_argument import CODE as INSERTED_ARGUMENT
from opgen.breaking.rules.keyword_only_argument import CODE as KEYWORD_ONLY_ARGUMENT
from opgen.breaking.rules.lost_gradient import CODE as LOST_GRADIENT
from opgen.breaking.rules.lost_symint import CODE as LOST_SYMINT
from opgen.breaking.rules.moved_argument import CODE as MOVED_ARGUMENT
from opgen.breaking.rules.narrowed_dtypes import CODE as NARROWED_DTYPES
from opgen.breaking.rules.narrowed_layout import CODE as NARROWED_LAYOUT
from opgen.breaking.rules.narrowed_shape import CODE as NARROWED_SHAPE
from opgen.breaking.rules.new_check import CODE as NEW_CHECK
from opgen.breaking.rules.newer_graphs import CODE as NEWER_GRAPHS
from opgen.breaking.rules.removed_argument import CODE as REMOVED_ARGUMENT
from opgen.breaking.rules.removed_default import CODE as REMOVED_DEFAULT
from opgen.breaking.rules.removed_op import CODE as REMOVED_OP
from opgen.breaking.rules.removed_twin import CODE as REMOVED_TWIN
from opgen.breaking.rules.renamed_argument import CODE as RENAMED_ARGUMENT
from opgen.breaking.rules.renamed_package import CODE as RENAMED_PACKAGE
from opgen.breaking.rules.required_argument import CODE as REQUIRED_ARGUMENT
from opgen.breaking.rules.return_count import CODE as RETURN_COUNT

__all__ = [
    "CHANGED_DEFAULT",
    "CHANGED_DOTS",
    "CHANGED_KERNEL",
    "CHANGED_RESULT",
    "CHANGED_RETURN",
    "CHANGED_ROLE",
    "CHANGED_SHARING",
    "CHANGED_TAGS",
    "CHANGED_TRANSFORMS",
    "CHANGED_TYPE",
    "CHANGED_WRITES",
    "CPP_SIGNATURE",
    "FEWER_BACKENDS",
    "FEWER_RELEASES",
    "INSERTED_ARGUMENT",
    "KEYWORD_ONLY_ARGUMENT",
    "LOST_GRADIENT",
    "LOST_SYMINT",
    "MOVED_ARGUMENT",
    "NARROWED_DTYPES",
    "NARROWED_LAYOUT",
    "NARROWED_SHAPE",
    "NEWER_GRAPHS",
    "NEW_CHECK",
    "REMOVED_ARGUMENT",
    "REMOVED_DEFAULT",
    "REMOVED_OP",
    "REMOVED_TWIN",
    "RENAMED_ARGUMENT",
    "RENAMED_PACKAGE",
    "REQUIRED_ARGUMENT",
    "RETURN_COUNT",
]
