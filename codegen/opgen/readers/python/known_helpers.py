"""Stand-ins for helpers of well-known projects, for calls of helpers that aren't among the sources.

Each is a short function that registers what the real one does, and is interpreted as any other helper.
"""

from __future__ import annotations

import ast
from functools import cache

from opgen.readers.python.modules import Module
from opgen.readers.python.scope import Frame, Scope
from opgen.readers.python.values import Call, FunctionValue, String, Symbol, Value
from opgen.source import DerivedText, Source

_PROJECTS = frozenset({"vllm", "sglang"})
"""Packages whose helpers define ops in a namespace with the name of the package."""

_TEXT = """
def direct_register_custom_op(
    op_name, op_func, mutates_args=None, fake_impl=None, target_lib=None, dispatch_key=None, tags=()
):
    library = target_lib or torch.library.Library(PROJECT, "FRAGMENT")
    library.define(op_name + torch.library.infer_schema(op_func, mutates_args=mutates_args or ()), tags=tags)
    library.impl(op_name, op_func, dispatch_key or current_platform.dispatch_key)
    if fake_impl is not None:
        library._register_fake(op_name, fake_impl)
"""
"""vLLM's ``vllm/utils/torch_utils.py``; SGLang's ``sglang/srt/utils/common.py`` has the same arguments."""

NAMES = frozenset({"direct_register_custom_op"})


def call(path: str, made: Call, frame: Frame) -> Value | None:
    """Evaluate a call of a well-known helper; ``None`` if it is another function."""
    project, name = path.partition(".")[0], path.rpartition(".")[2]
    if name not in NAMES or project not in _PROJECTS:
        return None
    module = _module()
    scope = Scope(
        names={"torch": Symbol("torch", made.location), "PROJECT": String(DerivedText.at(project, made.location))}
    )
    node = next(node for node in module.tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return frame.runner.call(FunctionValue(node, module, scope, module.places.signature(node)), made, frame)


@cache
def _module() -> Module:
    return Module(Source("<known helpers>", _TEXT))
