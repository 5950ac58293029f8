"""The table of the stable ABI's features that were added after its first release.

Source: the guards ``#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_…`` in
``torch/csrc/stable/{library,tensor_struct,generator_struct, accelerator,pyobject}.h`` and
``torch/csrc/stable/c/shim.h`` of torch 2.14.1.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from opgen.model.tags import KNOWN_TAGS
from opgen.records import dataclass

Release: TypeAlias = tuple[int, int]

TAGS_SINCE: Release = (2, 12)
"""The release that added ``StableLibrary::def(schema, tags)``."""


@dataclass(frozen=True)
class Feature:
    """Names that a release added.

    Attributes:
        since: the release.
        names: the names as they occur in code; names of C functions are unmistakably those of the stable ABI.
        instead: the equivalent on older releases, as the end of a help; empty if there is none.
    """

    since: Release
    names: tuple[str, ...]
    instead: str = ""


FEATURES = (
    Feature((2, 11), ("torch_dtype_float8_e8m0fnu", "torch_dtype_float4_e2m1fn_x2", "torch_from_blob")),
    Feature(
        (2, 12),
        ("torch_library_def_with_tags", *(f"torch_tag_{tag}" for tag in sorted(KNOWN_TAGS - {"inplace", "out"}))),
        "define the op in Python, `Library.define(…, tags=…)`",
    ),
    Feature(
        (2, 13),
        (".set_python_module", "torch_library_set_python_module"),
        "register the fakes in the module that loads the library",
    ),
    Feature((2, 13), ("torch_exception_get_what", "torch_exception_get_what_without_backtrace")),
    Feature((2, 13), ("torch_new_stable_ivalue", "torch_delete_stable_ivalue")),
    Feature((2, 13), (".nativeHandle", "torch_stream_native_handle"), "call `aoti_torch_get_current_cuda_stream`"),
    Feature(
        (2, 13),
        (
            "stable::Generator",
            "torch_new_generator_handle",
            "torch_delete_generator",
            "torch_generator_get_device",
        ),
        "take a seed as `int64_t`",
    ),
    Feature((2, 14), (".has_storage", "torch_has_storage")),
    Feature((2, 14), ("torch_mps_set_arg_bytes",)),
    Feature(
        (2, 14),
        ("stable::tensor_from_pyobject", "stable::tensor_to_pyobject", "torch_tensor_from_pyobject", "torch_tensor_to_pyobject"),
    ),
)  # fmt: skip

BY_NAME = {name.lstrip("."): feature for feature in FEATURES for name in feature.names}
PATTERN = re.compile(
    "|".join(
        rf"(?:\.|->)\s*({name[1:]})\s*\(" if name.startswith(".") else rf"(?<!\w)({name})\b"
        for feature in FEATURES
        for name in sorted(feature.names, key=len, reverse=True)
    )
)
