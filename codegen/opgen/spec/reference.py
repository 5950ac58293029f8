"""The reference page of ``ops.yaml``, written from the tables that the loader reads by."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.spec.dispatch_form import KERNEL_TABLE
from opgen.spec.fields import Key, Table
from opgen.spec.tables import LIBRARY_TABLE, OP_TABLE
from opgen.spec.tests_form import TESTS_TABLE

_INTRODUCTION = """\
# `ops.yaml`

A library of operators is declared in one file, `ops.yaml`, and in those that it includes. It is YAML in UTF-8, read
strictly: a key that doesn't exist, stands twice or has a value of the wrong form is an error, with its place and a
remedy, and all errors come in one run.

```yaml
opgen: 1
namespace: mylib
ops:
  - func: scale(Tensor x, float by) -> Tensor
    tensors: {x: "float [*batch]", return: "x.dtype [*batch]"}
    reference: x * by
```

- **Texts.** Every style of YAML will do, and a mistake in a schema is shown at its place in any of them. Words are
  taken as they are written: `on`, `no` and `null` are texts. A flag is `true` or `false`, without quotes.
- **Quotes.** Within `{}` and `[]` a text that holds `[`, `{` or `,` has to be quoted; everywhere one that holds `: ` or
  ` #`, or begins with `*`, `&`, `!`, `>`, `|`, `@` or `%`.
- **Repetition.** Anchors, aliases and merge keys (`<<: *base`) work within a file; tags (`!name`) are refused.
- **Included files** hold `ops`, and where they need them `defaults` and `include`; everything else is said once, in the
  main file. Paths are relative to the file that they stand in, and stay inside of the project. A file is read once.
- **Defaults** hold for the ops of their file and of the files that it includes, key by key: what an op states itself
  wins, then the defaults of its file, then those of the including one. Moving an op to an included file changes nothing.
- **Later releases.** `opgen lint` checks all of it. What this release can't generate yet says so at its key: there
  `opgen generate` and `opgen build` refuse it, and `opgen lint` gives an info.
- **Editors.** `opgen json-schema > ops.schema.json` writes the keys, their values and the sentences of this page as a JSON
  Schema. A file whose first line is `# yaml-language-server: $schema=ops.schema.json`, as `opgen init` writes it, is completed
  and checked by it in VS Code (with the extension YAML), Neovim and others. `opgen fmt` lays a file out, see
  [its canonical form](format.md).
- **Limits.** 16 MiB a file, 100 levels, two million values with all aliases unfolded.

This page is generated: `OPGEN_UPDATE_GOLDEN=1 pytest tests/spec/test_reference_page.py` writes it anew.
"""

_REFERENCES = """\
## A reference

The generated tests call a kernel on their samples and compare what it did with `reference`. They give it

- every argument of the op by its name, outs and destinations too, and defaults where a sample leaves arguments out;
- floating-point tensors in float64 and complex ones in complex128, whatever the dtype of the sample; all others as they are;
- an absent optional as `None`, a list as a list;
- empty tensors too, wherever the contract admits a size of 0.

It yields one value, or a tuple of several: first the new value of each written argument that is not `scratch`, in the order
of the schema (`None` for an absent one), then the fresh outputs. An argument that the op returns counts once, as a written one.
Results are compared with the tolerance of the dtype that the kernel returned; integers and booleans have to be equal.

An expression may use the arguments, `torch` and Python's builtins. The module of a function is looked for in the folder of
`ops.yaml`, then where Python looks.

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
    (LIBRARY_TABLE, "The library", "Keys at the top of the main file."),
    (OP_TABLE, "An op", "Keys of an entry of `ops`. Those marked with ◦ may stand under `defaults`, too."),
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
        yield f"**Not generated yet**: `opgen generate` refuses {key.not_generated} (OPG890).\n"
    yield f"- Form: {key.form.name}"
    yield f"- Default: {'none, it is required' if key.required else key.default}\n"
    yield f"```yaml\n{key.name}: {key.example}\n```\n"
