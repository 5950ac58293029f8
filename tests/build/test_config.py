"""The configuration: where it is found, what is said of mistakes in it, and the pages that are made of its settings."""

import json
import os
import sys
from pathlib import Path

import pytest

from opgen.build.config import codes
from opgen.build.config.discover import discover
from opgen.build.config.read import read_settings
from opgen.build.config.reference import json_schema, render_reference
from opgen.build.config.settings import DEFAULT_EXCLUDE, LintSettings, Settings, SetuptoolsSettings, settings_of
from opgen.diagnostics import Code

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/configuration.md"
SCHEMA = ROOT / "docs/schemas/opgen.schema.json"
CODES = [code for code in vars(codes).values() if isinstance(code, Code)]
TABLES = {"": Settings, "[lint]\n": LintSettings, "[setuptools]\n": SetuptoolsSettings}
SETTINGS = [(header, setting) for header, table in TABLES.items() for setting in settings_of(table).values()]


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(text, name="opgen.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        settings, _, found = read_settings(tmp_path / name)
        return settings, found

    return call


def shown(found):
    return [(one.code.id, one.location.start.line, one.location.start.column, one.message) for one in found]


@pytest.mark.parametrize("name", ["opgen.toml", "pyproject.toml"])
def test_every_setting_is_read_from_either_file(read, name):
    top, lint = ("[tool.opgen]", "[tool.opgen.lint]") if name == "pyproject.toml" else ("", "[lint]")
    settings, found = read(
        f'{top}\nexclude = ["a"]\nextend-exclude = ["b"]\n{lint}\nselect = ["OPG2"]\nignore = ["OPG203"]\n'
        'baseline = "known.json"\nper-file-ignores = {"x.yaml" = ["ALL"]}\ndefine = {A = "_C", B = 2, C = true}\n',
        name,
    )
    assert found == []
    assert (settings.exclude, settings.extend_exclude) == (("a",), ("b",))
    assert settings.lint == LintSettings(
        ("OPG2",), ("OPG203",), {"x.yaml": ("ALL",)}, "known.json", {"A": "_C", "B": "2", "C": "1"}
    )


def test_what_is_not_set_has_its_default(read):
    settings, found = read("")
    assert found == []
    assert settings.exclude == DEFAULT_EXCLUDE
    assert settings.lint.select == ("ALL",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('exclud = ["x"]\n', ("OPG191", 1, 1, "unknown setting 'exclud' in the top level")),
        ('[lint]\n\n  ignores = ["x"]\n', ("OPG191", 3, 3, "unknown setting 'ignores' in lint")),
        ('lint.ignores = ["x"]\n', ("OPG191", 1, 6, "unknown setting 'ignores' in lint")),
        ('lint = {select = [], ignores = ["x"]}\n', ("OPG191", 1, 22, "unknown setting 'ignores' in lint")),
        ('[lint]\nignore = "OPG203"\n', ("OPG192", 2, 1, "'ignore' expects a list of texts, found the text 'OPG203'")),
        ("[lint]\nbaseline = true\n", ("OPG192", 2, 1, "'baseline' expects a text, found the word true")),
        ("lint = 3\n", ("OPG192", 1, 1, "'lint' expects a table, found the number 3")),
        ("[lint]\nper-file-ignores = {a = 1}\n", ("OPG192", 2, 1, None)),
        ('[lint]\nignore = ["a"\n', ("OPG190", 2, 14, None)),
        ("[lint\n", ("OPG190", 1, 6, None)),
    ],
)
def test_a_mistake_has_code_place_and_words(read, text, expected):
    _, found = read(text)
    ((code, line, column, message),) = shown(found)
    assert code == expected[0]
    if code != "OPG190" or sys.version_info < (3, 13):  # the words and places of the parser are its own
        assert (line, column) == expected[1:3]
    assert expected[3] in {None, message}
    assert found[0].help


def test_all_mistakes_come_at_once_and_the_rest_is_read(read):
    settings, found = read('a = 1\n[lint]\nb = 2\nselect = 3\nignore = ["OPG203"]\n')
    assert [one.code.id for one in found] == ["OPG191", "OPG191", "OPG192"]
    assert settings.lint.ignore == ("OPG203",)


def test_the_nearest_file_holds(tmp_path):
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.opgen.lint]\n")
    (tmp_path / "a/pyproject.toml").write_text("[tool.other]\nopgen = 1\n")
    assert discover(inner) == tmp_path / "pyproject.toml"
    (tmp_path / "opgen.toml").write_text("")
    assert discover(inner) == tmp_path / "opgen.toml"
    (inner / "opgen.toml").write_text("")
    assert discover(inner) == inner / "opgen.toml"


@pytest.mark.parametrize("code", [code for code in CODES if code.bad and code.id != "OPG193"], ids=lambda code: code.id)
def test_the_bad_example_of_a_code_has_it_and_the_good_one_has_not(read, code):
    assert [one.code for one in read(code.bad.text)[1]] == [code]
    assert read(code.good.text)[1] == []


@pytest.mark.parametrize(("header", "setting"), SETTINGS, ids=[setting.name for _, setting in SETTINGS])
def test_the_example_of_a_setting_is_read(read, header, setting):
    assert read(f"{header}{setting.name} = {setting.example}\n")[1] == []
    assert setting.meaning.endswith(".")


def test_the_page_and_the_json_schema_are_up_to_date():
    schema = json.dumps(json_schema(), indent=2) + "\n"
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        PAGE.write_text(render_reference(), encoding="utf-8")
        SCHEMA.write_text(schema, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == render_reference()
    assert SCHEMA.read_text(encoding="utf-8") == schema


def test_the_json_schema_takes_what_the_reader_takes():
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft7Validator(json_schema())
    assert validator.is_valid({"exclude": ["a"], "lint": {"ignore": ["OPG2"], "define": {"A": 1}}})
    assert not validator.is_valid({"exclud": ["a"]})
    assert not validator.is_valid({"lint": {"ignore": "OPG2"}})
