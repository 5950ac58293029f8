"""Examples of every command, for the end of its ``--help`` and for its page."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "init": {"opgen init mylib": "into a folder of that name"},
    "fmt": {
        "opgen fmt": "ops.yaml and what it includes",
        "opgen fmt --check --diff": "write nothing, show what would change",
    },
    "lint": {
        "opgen lint": "the ops.yaml of this folder",
        "opgen lint csrc python": "registrations in C++ and Python",
        "opgen lint --fix": "apply the safe fixes",
        "opgen lint --select OPG2 --statistics": "contracts only, counted",
        "opgen lint --format sarif --exit-zero": "for code scanning",
    },
    "generate": {
        "opgen generate": "write generated/ and missing kernels",
        "opgen generate --check": "for CI: are the files current?",
    },
    "emit": {"opgen emit build/ops --manifest build/ops.json": "for another build system"},
    "build": {
        "opgen build": "compile what changed, call every op",
        "opgen build --watch": "rebuild whenever a source is saved",
        "opgen build --sanitize address,undefined": "with sanitizers",
    },
    "test": {
        "opgen test": "everything",
        "opgen test -x -k test_reference": "pytest's own arguments follow",
    },
    "bench": {
        "opgen bench": "every op with a C++ kernel for the CPU",
        "opgen bench twice --json cost.json": "one op, and its figures in a file",
    },
    "import": {
        "opgen import csrc python": "write ops.yaml",
        "opgen import csrc --registered -o -": "leave kernels where they are; print",
    },
    "breaking": {
        "opgen breaking --against origin/main": "compare with a commit",
        "opgen breaking --against old/ops.yaml": "compare with a file",
    },
    "status": {
        "opgen status": "of ops.yaml",
        "opgen status csrc python tests": "of hand-written sources",
        "opgen status --fail-under 90": "for CI",
    },
    "parse": {'opgen parse "f(Tensor x) -> Tensor"': "one JSON object per schema"},
    "docs": {"opgen docs docs/operators": "index.md and one page per op"},
    "export": {"opgen export --to executorch": "its YAML of custom operators"},
    "audit": {"opgen audit dist/mylib-0.1.0-py3-none-any.whl": "check its claims"},
    "doctor": {"opgen doctor": "compiler, ninja, PyTorch, CUDA"},
    "explain": {"opgen explain OPG204": "why, an example, the remedy"},
    "rules": {"opgen rules": "one line per code"},
    "server": {"opgen server": "started by an editor"},
    "json-schema": {"opgen json-schema > ops.schema.json": "for a YAML language server"},
}
"""Command -> command line -> its description. Tests run them."""


def epilog(verb: str) -> str:
    """Return the end of a command's help; a backspace character makes click keep the lines of a paragraph."""
    examples = EXAMPLES.get(verb, {})
    width = max(map(len, examples), default=0)
    lines = (f"  {command:{width}}  {meaning}" for command, meaning in examples.items())
    return "\n".join(["\b", "Examples:", *lines]) if examples else ""
