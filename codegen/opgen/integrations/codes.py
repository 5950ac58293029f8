"""The codes of this room: what another project's format has no place for."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity

NO_OUT_VARIANT = Code(
    id="OPG880",
    name="no-out-variant",
    severity=Severity.WARNING,
    summary="An op is left out of the ExecuTorch output, because it has no out variant.",
    why=(
        "ExecuTorch's runtime plans all memory ahead, so it calls only operators that fill what they are given "
        "(https://docs.pytorch.org/executorch/stable/kernel-library-custom-aten-kernel.html)."
    ),
    remedy="declare the out variant, or a form that it can be derived from",
)

NOT_FOR_KERNEL_BUILDER = Code(
    id="OPG872",
    name="not-for-kernel-builder",
    severity=Severity.ERROR,
    summary="A library can't be built by Hugging Face's kernel-builder.",
    why=(
        "Several builds of a kernel are loaded into one process, from wherever they are stored. So each has its own "
        "namespace, and uses only the Python standard library, torch and itself "
        "(https://huggingface.co/docs/kernels/kernel-requirements)."
    ),
    remedy="leave the op out, or declare it in another library",
)
