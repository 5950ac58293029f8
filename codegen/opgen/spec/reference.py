"""Writes the reference page of ``ops.yaml`` from the tables that the loader uses."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.spec.dispatch_form import KERNEL_TABLE
from opgen.spec.fields import Key, Table
from opgen.spec.tables import LIBRARY_TABLE, OP_TABLE
from opgen.spec.tests_form import TESTS_TABLE

_INTRODUCTION = """\
# `ops.yaml`

A library of operators is declared in one file, `ops.yaml`, and the files that it includes. The format is YAML in UTF-8,
read strictly: an unknown or duplicate key, or a value of the wrong form, is an error with its place and a remedy. One
run reports all errors.

```yaml
opgen: 1
namespace: mylib
ops:
  - func: scale(Tensor x, float by) -> Tensor
    tensors: {x: "float [*batch]", return: "x.dtype [*batch]"}
    reference: x * by
```

- **Texts.** You can use any YAML string style; a mistake in a schema is reported at its exact place in all of them.
  Words are taken literally: `on`, `no` and `null` are texts. A flag is `true` or `false`, without quotes.
- **Quotes.** Inside `{}` and `[]`, quote a text that contains `[`, `{` or `,`. Everywhere, quote a text that contains
  `: ` or ` #`, or that starts with `*`, `&`, `!`, `>`, `|`, `@` or `%`.
- **Repetition.** Anchors, aliases and merge keys (`<<: *base`) work within a file; tags (`!name`) are rejected.
- **Included files** hold `ops`, and optionally `defaults` and `include`; all other keys belong in the main file. Paths
  are relative to the file that contains them and must stay inside the project. Each file is read once.
- **Defaults** apply, key by key, to the ops of their file and of the files that it includes. A key that an op states
  itself takes precedence, then the defaults of its file, then those of the including file. Moving an op to an included
  file changes nothing.
- **Later releases.** `opgen lint` accepts everything on this page. If this release can't generate something yet, its
  key says so below: `opgen generate` and `opgen build` reject it, and `opgen lint` reports an info.
- **Editors.** `opgen json-schema > ops.schema.json` writes the keys, their values and the descriptions on this page as
  a JSON Schema. VS Code (with the YAML extension), Neovim and other editors use it for completion and checks in a file
  whose first line is `# yaml-language-server: $schema=ops.schema.json`, which `opgen init` writes. `opgen fmt` formats
  a file, see [its canonical form](format.md).
- **Limits.** 16 MiB per file, 100 levels of nesting, two million values with all aliases expanded.

This page is generated; `OPGEN_UPDATE_GOLDEN=1 pytest tests/spec/test_reference_page.py` rewrites it.
"""

_REFERENCES = """\
## A reference

The generated tests call a kernel on their samples and compare the results with those of `reference`. A reference
receives

- every argument of the op by name, including outs and destinations, with defaults for arguments that a sample omits;
- floating-point tensors in float64 and complex tensors in complex128, whatever the dtype of the sample; other tensors
  unchanged;
- `None` for an absent optional argument, and a list for a list;
- empty tensors too, wherever the contract allows a size of 0.

It returns one value, or a tuple of several: first the new value of each written argument that is not `scratch`, in
schema order (`None` for an absent one), then the fresh outputs. An argument that the op returns counts once, as a
written argument. Results are compared with the tolerance for the dtype that the kernel returned; integers and booleans
must be equal.

An expression may use the arguments, `torch` and Python's builtins. The module of a function is looked up in the folder
of `ops.yaml` first, then on Python's path.

```yaml
opgen: 1
namespace: mylib
defaults: {autograd: none}
ops:
  - func: sgd(Tensor(a!) weight, Tensor(b!)? momentum, Tensor grad, float lr=0.1) -> Tensor
    doc: Take a step, and return the largest gradient of each row.
    tensors:
      weight: "float [rows, n]"
      momentum: "weight.dtype [rows, n]"
      grad: "weight.dtype [rows, n]"
      return: "weight.dtype [rows]"
    checks: ["n > 0"]
    reference: references:sgd
```

```python
# references.py
def sgd(weight, momentum, grad, lr):
    step = grad if momentum is None else 0.9 * momentum + grad
    return weight - lr * step, None if momentum is None else step, grad.amax(-1)
```
"""

_PARTS = (
    (LIBRARY_TABLE, "The library", "Top-level keys of the main file."),
    (OP_TABLE, "An op", "Keys of an entry of `ops`. Keys marked with ◦ are also allowed under `defaults`."),
    (KERNEL_TABLE, "A kernel", "Keys of an entry of `dispatch` that is a mapping."),
    (TESTS_TABLE, "The tests of an op", "Keys of `tests`."),
)


def render_reference() -> str:
    """Return the whole page, in Markdown."""
    return "\n".join([_INTRODUCTION, *(line for part in _PARTS for line in _part(*part)), _REFERENCES.rstrip("\n"), ""])


def _part(table: Table, title: str, introduction: str) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"{introduction}\n"
    for key in table.keys:
        yield from _key(key)


def _key(key: Key[object]) -> Iterator[str]:
    yield f"### `{key.name}`{' ◦' if key.inheritable else ''}\n"
    yield f"{key.meaning}\n"
    if key.not_generated:
        yield f"**Not generated yet**: `opgen generate` rejects {key.not_generated} (OPG890).\n"
    yield f"- Form: {key.form.name}"
    yield f"- Default: {'none, the key is required' if key.required else key.default}\n"
    yield f"```yaml\n{key.name}: {key.example}\n```\n"
