"""Codes of mistakes in files and in YAML syntax."""

from __future__ import annotations

from opgen.diagnostics.codes import Code, Example, Severity

_HEAD = "opgen: 1\nnamespace: mylib\n"
_GOOD = Example(
    _HEAD
    + 'ops:\n  - func: scale(Tensor x, float by) -> Tensor\n    tensors: {x: "float [n]", return: "x.dtype [n]"}\n'
)

YAML_SYNTAX = Code(
    id="OPG120",
    name="yaml-syntax",
    severity=Severity.ERROR,
    summary="The file is not valid YAML.",
    why="Nothing after the mistake can be read, so only the ops before it are checked. Source: YAML 1.1.",
    bad=Example(_HEAD + 'ops:\n  - func: "scale(Tensor x) -> Tensor\n'),
    good=_GOOD,
    remedy="close what was opened, and indent keys of one mapping alike",
)
UNQUOTED_TEXT = Code(
    id="OPG121",
    name="unquoted-text",
    severity=Severity.ERROR,
    summary="A text must be quoted, because YAML reads it as something else.",
    why=(
        "Within braces and brackets a comma, `[` or `{` ends a text. Everywhere, `: ` starts a value, ` #` a "
        "comment, and `*`, `&`, `!`, `>`, `|`, `@` or `%` at the start have special meanings. Source: YAML 1.1, "
        "section 7.3.3."
    ),
    bad=Example(
        _HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n    tensors: {x: float [n], return: x.dtype [n]}\n"
    ),
    good=_GOOD,
    remedy="put the text between double quotes",
)
TAB_INDENTATION = Code(
    id="OPG122",
    name="tab-indentation",
    severity=Severity.ERROR,
    summary="YAML must be indented with spaces, never with tabs.",
    why="The width of a tab is not defined, so YAML forbids it. Source: YAML 1.1, section 5.5.",
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x, float by) -> Tensor\n\tdoc: Scales.\n"),
    good=_GOOD,
    remedy="replace the tabs at the start of the line by blanks",
)
DUPLICATE_KEY = Code(
    id="OPG123",
    name="duplicate-key",
    severity=Severity.ERROR,
    summary="A key occurs twice in one mapping.",
    why="One of the two values would be dropped silently. Source: YAML 1.1, section 3.2.1.3.",
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n    doc: Scales.\n    doc: Doubles.\n"),
    good=_GOOD,
    remedy="keep one of the two",
)
KEY_NOT_TEXT = Code(
    id="OPG124",
    name="key-not-text",
    severity=Severity.ERROR,
    summary="A key is a list or a mapping.",
    why="Every key of opgen's format is a text. A leading `?` or `[` makes a different kind of key.",
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n    tests: {xfail: {[a, b]: slow}}\n"),
    good=_GOOD,
    remedy="write a text as the key, quoted where it holds `[`, `{`, `,` or `:`",
)
FORBIDDEN_CHARACTER = Code(
    id="OPG125",
    name="forbidden-character",
    severity=Severity.ERROR,
    summary="The file contains a character that is invisible or changes how the surrounding text is displayed.",
    why=(
        "Control characters are not valid YAML; bidirectional marks show reviewers a different text from the one "
        "that is compiled (CVE-2021-42574); U+2028 and similar characters are line breaks for YAML but not for "
        "editors."
    ),
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n    doc: Scales\u202e.\n"),
    good=_GOOD,
    remedy="delete the character, or write it as an escape in double quotes",
)
NOT_UTF8 = Code(
    id="OPG126",
    name="not-utf8",
    severity=Severity.ERROR,
    summary="The file is not encoded in UTF-8.",
    why="Source files and generated code are UTF-8; guessing another encoding would go wrong.",
    good=_GOOD,
    remedy="save the file as UTF-8",
)
UNREADABLE_FILE = Code(
    id="OPG127",
    name="unreadable-file",
    severity=Severity.ERROR,
    summary="The file is missing, is a folder, is too large or may not be read.",
    why="A declaration file of more than 16 MiB is assumed to be a mistake.",
    good=_GOOD,
    remedy="name an existing file; split a big library by `include`",
)
EMPTY_FILE = Code(
    id="OPG128",
    name="empty-file",
    severity=Severity.ERROR,
    summary="The file contains nothing but comments.",
    why="A library has at least a format version and a namespace.",
    bad=Example("# nothing yet\n"),
    good=_GOOD,
    remedy="start with `opgen: 1`, `namespace:` and `ops:`",
)
SEVERAL_DOCUMENTS = Code(
    id="OPG129",
    name="several-documents",
    severity=Severity.ERROR,
    summary="The file contains a second YAML document.",
    why="Everything after the `---` would be dropped silently.",
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n---\nops: []\n"),
    good=_GOOD,
    remedy="delete the `---`, or move the second document to a file of its own and `include` it",
)
BAD_ALIAS = Code(
    id="OPG130",
    name="bad-alias",
    severity=Severity.ERROR,
    summary="An alias refers to no preceding anchor, or to the value that contains it.",
    why="`*name` repeats the value that `&name` marked. A text that begins with `*` has to be quoted.",
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n    tests: *usual\n"),
    good=_GOOD,
    remedy="mark a value with `&name` first, or quote the text",
)
YAML_LIMIT = Code(
    id="OPG131",
    name="yaml-limit",
    severity=Severity.ERROR,
    summary="The document is nested too deeply, or its aliases expand to too many values.",
    why="A file of one kilobyte can expand to billions of values; the limits are far above any real library.",
    bad=Example(_HEAD + "ops: " + "[" * 101 + "]" * 101 + "\n"),
    good=_GOOD,
    remedy="write the values out, with fewer levels and aliases",
)
YAML_TAG = Code(
    id="OPG132",
    name="yaml-tag",
    severity=Severity.ERROR,
    summary="A value carries a YAML tag.",
    why="Tags turn texts into objects; opgen reads texts, and the key determines what they are.",
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n    doc: !note Scales.\n"),
    good=_GOOD,
    remedy="leave the tag out; quote a text that begins with `!`",
)
BAD_MERGE = Code(
    id="OPG133",
    name="bad-merge",
    severity=Severity.ERROR,
    summary="The value of a merge key is not a mapping.",
    why="`<<` takes the pairs of another mapping, or of each mapping in a list. Source: yaml.org/type/merge.html.",
    bad=Example(_HEAD + "ops:\n  - func: scale(Tensor x) -> Tensor\n    <<: usual\n"),
    good=_GOOD,
    remedy="give it an alias of a mapping: `<<: *usual`",
)
