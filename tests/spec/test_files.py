"""Files that can't be read as ``ops.yaml``, and those that are included."""

import errno
import os
from pathlib import Path

import pytest

from opgen.spec.load import load_library
from opgen.spec.yaml.file import SIZE_LIMIT

HEAD = "opgen: 1\nnamespace: mylib\n"
OP = "ops:\n  - func: {}(Tensor x) -> Tensor\n"


def only(result):
    (found,) = result.diagnostics
    assert result.library is None
    return found


def test_a_missing_file_is_a_finding(tmp_path):
    found = only(load_library(tmp_path / "ops.yaml"))

    assert found.code.id == "OPG127"
    assert "there is no such file" in found.message


def test_a_folder_is_a_finding(tmp_path):
    found = only(load_library(tmp_path))

    assert found.code.id == "OPG127"
    assert "it is a folder" in found.message


def test_a_name_with_a_nul_is_a_finding(tmp_path):
    assert only(load_library(tmp_path / "a\0b")).code.id == "OPG127"


def test_a_file_that_may_not_be_read_is_a_finding(tmp_path, monkeypatch):
    path = tmp_path / "ops.yaml"
    path.write_text(HEAD)

    # Not by chmod: root may read everything.
    def refuse(*_arguments, **_settings):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", refuse)

    assert "Permission denied" in only(load_library(path)).message


def test_a_huge_file_is_refused(tmp_path):
    path = tmp_path / "ops.yaml"
    with path.open("wb") as file:
        file.truncate(SIZE_LIMIT + 1)

    assert "larger than 16 MiB" in only(load_library(path)).message


def test_a_file_in_another_encoding_is_shown_up_to_the_first_wrong_byte(tmp_path):
    path = tmp_path / "ops.yaml"
    path.write_bytes(HEAD.encode() + "doc: Größe\n".encode("latin-1"))
    found = only(load_library(path))

    assert found.code.id == "OPG126"
    assert "0xf6" in found.message
    assert found.location.start == (3, 8)


def test_thousands_of_control_characters_are_ten_findings(load):
    result = load("\x00" * 5000)

    assert [found.code.id for found in result.diagnostics].count("OPG125") == 10
    assert any("and 4990 more follow" in found.message for found in result.diagnostics)


@pytest.mark.parametrize("text", ["\ufeff" + HEAD + OP.format("f"), (HEAD + OP.format("f")).replace("\n", "\r\n")])
def test_a_byte_order_mark_and_windows_line_ends_move_no_place(text, load):
    result = load(text)

    assert not result.diagnostics
    assert result.library.ops[0].func.locate().start == (4, 11)


def test_included_files_bring_their_ops_with_their_own_places(load):
    result = load(
        HEAD + "include: [sub/a.yaml]\n" + OP.format("f"),
        **{"sub/a.yaml": "include: [b.yaml]\n" + OP.format("g"), "sub/b.yaml": OP.format("h")},
    )

    assert not result.diagnostics
    assert [(op.schema.name.name, op.func.source.path) for op in result.library.ops] == [
        ("f", "ops.yaml"),
        ("g", "sub/a.yaml"),
        ("h", "sub/b.yaml"),
    ]
    assert result.library.files == ("ops.yaml", "sub/a.yaml", "sub/b.yaml")


def test_defaults_reach_included_files_which_may_state_their_own(load):
    result = load(
        HEAD
        + "include: [a.yaml, b.yaml]\ndefaults: {autograd: error, autocast: promote, tags: [pointwise]}\n"
        + OP.format("f"),
        **{"a.yaml": "defaults: {autocast: float32}\n" + OP.format("g") + "    tags: []\n", "b.yaml": OP.format("h")},
    )

    assert not result.diagnostics
    read = {op.schema.name.name: (op.autograd.value, op.autocast.value, len(op.tags)) for op in result.library.ops}
    assert read == {"f": ("error", "promote", 1), "g": ("error", "float32", 0), "h": ("error", "promote", 1)}


@pytest.mark.parametrize(
    ("include", "words"),
    [
        ("[../outside.yaml]", "outside of the project"),
        ("[/etc/hosts]", "outside of the project"),
        ("[link.yaml]", "outside of the project"),
        ("[loop.yaml]", "o"),
        ("['sub\\a.yaml']", "outside of the project"),
        ("[missing.yaml]", "there is no file"),
        ("[sub]", "there is no file"),
        ("[ops.yaml]", "is the main file"),
        ("[a.yaml, ./a.yaml]", "is included twice"),
        ("[cycle.yaml]", "is included twice"),
        ('["a\\0b"]', "outside of the project"),
        ("a.yaml", "write [a.yaml]"),
    ],
)
def test_an_include_stays_inside_of_the_project_and_reads_each_file_once(include, words, tmp_path):
    inside = tmp_path / "project"
    (inside / "sub").mkdir(parents=True)
    (tmp_path / "outside.yaml").write_text("ops: []\n")
    (inside / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (inside / "loop.yaml").symlink_to(inside / "loop.yaml")
    (inside / "a.yaml").write_text("ops: []\n")
    (inside / "cycle.yaml").write_text("include: [cycle.yaml]\n")
    (inside / "ops.yaml").write_text(HEAD + f"include: {include}\n")
    (found,) = load_library(inside / "ops.yaml").diagnostics

    assert words in f"{found.message} {found.help}"


def test_a_file_below_may_include_one_above_it_up_to_the_main_files_folder(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.yaml").write_text(OP.format("f"))
    (tmp_path / "sub" / "ops.yaml").write_text(HEAD + "include: [../a.yaml]\n")
    (tmp_path / "sub" / "more.yaml").write_text("include: [../a.yaml]\n")
    (tmp_path / "ops.yaml").write_text(HEAD + "include: [sub/more.yaml]\n")

    assert not load_library(tmp_path / "ops.yaml").diagnostics
    (found,) = load_library(tmp_path / "sub" / "ops.yaml").diagnostics
    assert "lies outside of the project" in found.message


def test_the_same_op_in_two_files_is_shown_at_both_places(load):
    result = load(HEAD + "include: [a.yaml]\n" + OP.format("f"), **{"a.yaml": OP.format("mylib::f")})
    (found,) = result.diagnostics

    assert found.code.id == "OPG139"
    assert (found.op, found.location.source.path, found.location.start) == ("mylib::f", "a.yaml", (2, 11))
    assert found.notes[0].location.source.path == "ops.yaml"
    assert len(result.library.ops) == 1
