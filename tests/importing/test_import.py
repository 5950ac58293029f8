"""``opgen import``: an ops.yaml from sources, which says what they say and is ready to be generated from."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from opgen.cli.group import opgen
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "migration"

CPP = r"""
#include <torch/library.h>
at::Tensor twice(const at::Tensor& x, int64_t n) { return x * n; }
at::Tensor norm_cpu(const at::Tensor& x);
TORCH_LIBRARY(mylib, m) {
  m.def("norm(Tensor x,\n     float eps = 1e-6)  ->  Tensor", {at::Tag::pt2_compliant_tag});
  m.def("fill(Tensor! out, "
        "str mode='a: b #c') -> ()");
  m.def("store(Tensor x) -> ()");
  m.def("scaled(Tensor x, Scalar by) -> Tensor");
  m.def("count() -> int");
  m.def("twice", &twice);
  m.def("rows(Tensor(a) x) -> Tensor(a)");
  m.def("broken(Tensor x, double y) -> Tensor");
  m.def(SCHEMA);
#ifdef WITH_AXIS
  m.def("route(Tensor(a!) x, int axis) -> Tensor(a!)", {at::Tag::inplace});
#else
  m.def("route(Tensor(a!) x) -> Tensor(a!)", {at::Tag::inplace});
#endif
#if A
  m.def("same(Tensor x) -> Tensor");
#else
  m.def("same(Tensor  x)->Tensor");
#endif
}
TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("norm", &norm_cpu); m.impl("count", &count); }
TORCH_LIBRARY_IMPL(mylib, CUDA, m) { m.impl("norm", &norm_cuda); }
TORCH_LIBRARY_IMPL(mylib, XPU, m) { m.impl("norm", &norm_xpu); }
TORCH_LIBRARY_IMPL(mylib, Meta, m) { m.impl("scaled", &scaled_meta); }
TORCH_LIBRARY_IMPL(mylib, Autograd, m) { m.impl("scaled", &scaled_autograd); }
TORCH_LIBRARY_FRAGMENT(_other, m) {
  m.def("norm.overload(Tensor x) -> Tensor");
  m.def("norm(Tensor x) -> Tensor");
}
TORCH_LIBRARY(TORCH_EXTENSION_NAME, m) { m.def("built(Tensor x) -> Tensor"); }
"""

PYTHON = '''
from typing import Optional, Sequence, Tuple, Union

import torch
from torch.library import custom_op

@custom_op("mylib::mix", mutates_args={"y"}, device_types="cuda")
def mix(x: torch.Tensor, y: Optional[torch.Tensor], sizes: Sequence[int], to: torch.dtype, on: Optional[torch.device] = None,
        by: Union[int, float, bool] = 2) -> Tuple[torch.Tensor, int]:
    """Mix things: all of them.

    More.
    """

@mix.register_fake
def _(x, y, sizes, to, on=None, by=2):
    return torch.empty_like(x), 1

@custom_op("mylib::pick", mutates_args=())
def pick(x: torch.Tensor, n: int = 3) -> torch.Tensor: ...

LIB = torch.library.Library("mylib", "FRAGMENT")
LIB.define("halve_(Tensor(a!) x) -> Tensor(a!)", tags=(torch.Tag.inplace, torch.Tag.needs_exact_strides))
LIB.impl("halve_", lambda x: x.div_(2), "CompositeExplicitAutograd")

def register(name, function):
    LIB.define(name + torch.library.infer_schema(function, mutates_args=()))

def wrapped(x: torch.Tensor) -> None: ...
register("wrapped", wrapped)
torch.library.register_autocast("mylib::norm", "cuda", torch.float16)
'''


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A folder with sources, and ``opgen`` in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "csrc").mkdir()
    (tmp_path / "mylib").mkdir()
    (tmp_path / "csrc/ops.cpp").write_text(CPP, encoding="utf-8")
    (tmp_path / "mylib/__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "mylib/ops.py").write_text(PYTHON, encoding="utf-8")

    def call(*arguments):
        result = CliRunner().invoke(opgen, [*map(str, arguments)])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result

    call.path = tmp_path
    return call


def entries(text):
    return {entry["func"].partition("(")[0]: entry for entry in yaml.safe_load(text)["ops"]}


def comments(text):
    """Return the comment above each op, declared or not, by its name."""
    return {match[2]: match[1] for match in re.finditer(r"((?: +# (?!- ).*\n)+) +(?:# )?- func: \"?([\w:.]+)\(", text)}


def generated_schemas(folder):
    """Return the schemas of the package that was generated, as ``namespace::schema``."""
    (path,) = folder.glob("generated/*/_schemas.py")
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    made = [call.args for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Operator"]
    return {f"{ast.literal_eval(namespace)}::{ast.literal_eval(schema)}" for namespace, schema, *_ in made}


def test_each_op_becomes_an_entry_with_what_its_registrations_say(library):
    result = library("import", "csrc", "mylib", "-o", "-")

    assert yaml.safe_load(result.stdout)["namespace"] == "mylib"
    assert entries(result.stdout) == {
        "norm": {
            "func": "norm(Tensor x, float eps=1e-6) -> Tensor",
            "dispatch": {"CPU": "cpp", "CUDA": "cuda"},
            "autograd": "none",
            "tags": ["pt2_compliant_tag"],
        },
        "fill": {"func": 'fill(Tensor(a!) out, str mode="a: b #c") -> ()'},
        "store": {"func": "store(Tensor x) -> ()", "side_effects": True},
        "scaled": {"func": "scaled(Tensor x, Scalar by) -> Tensor", "abi": "classic"},
        "count": {"func": "count() -> int", "dispatch": {"CompositeExplicitAutograd": "cpp"}},
        "twice": {"func": "twice(Tensor _0, int _1) -> Tensor _0", "dispatch": {"CPU": "cpp"}, "autograd": "none"},
        "route": {"func": "route(Tensor(a!) x, int axis) -> Tensor(a!)"},
        "same": {"func": "same(Tensor x) -> Tensor", "autograd": "none"},
        "_other::norm.overload": {"func": "_other::norm.overload(Tensor x) -> Tensor", "autograd": "none"},
        "mix": {
            "func": "mix(Tensor x, Tensor(a1!)? y, SymInt[] sizes, ScalarType to, Device? on=None, Scalar by=2) "
            "-> (Tensor, SymInt)",
            "doc": "Mix things: all of them.",
            "dispatch": {"CUDA": "python"},
        },
        "pick": {
            "func": "pick(Tensor x, SymInt n=3) -> Tensor",
            "dispatch": {"CompositeExplicitAutograd": "python"},
            "autograd": "none",
        },
        "halve_": {
            "func": "halve_(Tensor(a!) x) -> Tensor(a!)",
            "dispatch": {"CompositeExplicitAutograd": "python"},
            "tags": ["needs_exact_strides"],
        },
        "wrapped": {"func": "wrapped(Tensor x) -> ()", "side_effects": True},
    }


def test_what_is_known_and_has_no_key_stands_above_the_entry(library):
    result = library("import", "csrc", "mylib", "-o", "-")

    found = comments(result.stdout)
    for op, words in {
        "norm": ["csrc/ops.cpp:6", "kernel for XPU: csrc/ops.cpp:29", "autocast: mylib/ops.py:", "no fake kernel"],
        "scaled": ["fake kernel: csrc/ops.cpp:30", "gradient: csrc/ops.cpp:31"],
        "twice": ["one kernel for all backends and autograd: csrc/ops.cpp:12"],
        "route": ["another schema at csrc/ops.cpp:19 (#else of #ifdef WITH_AXIS): route(Tensor(a!) x) -> Tensor(a!)"],
        "rows": ["Not declared: a view can't be generated yet (OPG890)"],
        "_other::norm": ["Not declared: mylib::norm has this name in kernels and files (OPG303); `--namespace`"],
        "mix": ["fake kernel: mylib/ops.py:"],
    }.items():
        assert all(word in found[op] for word in words), found[op]
    assert "no fake kernel" not in found["mix"] + found["fill"] + found["scaled"]
    assert "another schema" not in found["same"]


def test_what_could_not_be_read_is_listed_and_counted_and_makes_the_exit_status(library):
    result = library("import", "csrc", "mylib")

    assert result.exit_code == 1
    head = (library.path / "ops.yaml").read_text(encoding="utf-8").partition("opgen: 1")[0]
    assert head.startswith("# Imported by `opgen import csrc mylib`.\n")
    assert re.findall(r"^# - (.*)$", head, re.MULTILINE) == [
        "csrc/ops.cpp:15: the schema is not a literal: SCHEMA",
        "csrc/ops.cpp:14: mylib::broken: unknown type 'double'",
        "namespace TORCH_EXTENSION_NAME: it is made by a macro; `-D TORCH_EXTENSION_NAME=NAME` says what that stands for",
    ]
    assert result.stderr.splitlines() == [
        "imported 13 of 15 operators into 'ops.yaml'",
        "  2 not declared, with the reason in a comment, OPG303 1, OPG890 1",
        "  3 not read, listed in the first lines",
        "  5 without a fake kernel",
        "  none with a contract of its tensors: describe them under `tensors`",
    ]


@pytest.mark.parametrize("options", [[], ["--registered"]])
def test_the_file_is_canonical_lints_without_errors_and_generates_the_same_schemas(library, options):
    library("import", "csrc", "mylib", *options)
    assert library("fmt", "--check").exit_code == 0
    weighty = [line for line in library("lint", "--format", "concise").stdout.splitlines() if ": info[" not in line]
    assert [line.partition(": ")[2] for line in weighty if line.startswith("ops.yaml")] == [
        "warning[OPG302] mylib::twice: return '_0' has the name of an argument, but is a fresh value",
        "warning[OPG218] mylib::mix: return 1 is not a plain Tensor, and the op writes 'y': it can't be compiled",
    ]

    generated = library("generate")
    assert generated.exit_code == 0, generated.output
    text = (library.path / "ops.yaml").read_text(encoding="utf-8")
    declared = {
        func if "::" in func.partition("(")[0] else f"mylib::{func}"
        for func in (print_schema(parse_schema(entry["func"]).schema) for entry in yaml.safe_load(text)["ops"])
    }
    assert generated_schemas(library.path) == declared
    assert len(declared) == 13


@pytest.mark.parametrize(
    ("options", "namespace", "ops"),
    [
        (["--namespace", "_other"], "_other", {"norm.overload", "norm"}),
        (["--namespace", "built", "-D", "TORCH_EXTENSION_NAME=built"], "built", {"built"}),
    ],
)
def test_namespaces_can_be_chosen_and_macros_defined(library, options, namespace, ops):
    result = library("import", "csrc", "-o", "-", *options)
    assert yaml.safe_load(result.stdout)["namespace"] == namespace
    assert entries(result.stdout).keys() == ops


def test_what_can_not_be_read_of_other_namespaces_is_not_listed(library):
    (library.path / "csrc" / "unread.cpp").write_text(
        "".join(
            f"TORCH_LIBRARY_FRAGMENT({namespace}, m) {{ m.def(schema_of_{namespace}()); }}\n"
            for namespace in ("_other", "mylib", "aten", "TORCH_EXTENSION_NAME")
        ),
        encoding="utf-8",
    )
    text = library("import", "csrc", "-o", "-", "--namespace", "_other").stdout
    assert re.findall(r"schema_of_(\w+)", text) == ["_other", "TORCH_EXTENSION_NAME"]


def test_macros_of_the_configuration_count(library):
    (library.path / "opgen.toml").write_text('[lint]\ndefine = {TORCH_EXTENSION_NAME = "mylib"}\n', encoding="utf-8")
    assert "built" in entries(library("import", "csrc", "-o", "-").stdout)


def test_a_file_is_overwritten_only_by_force(library):
    (library.path / "ops.yaml").write_text("mine", encoding="utf-8")
    refused = library("import", "csrc")
    assert refused.exit_code == 2
    assert "'ops.yaml' exists; `--force` overwrites it" in refused.stderr
    assert (library.path / "ops.yaml").read_text(encoding="utf-8") == "mine"

    assert library("import", "csrc", "--force").exit_code == 1
    assert library("import", "csrc", "-o", "other.yaml").exit_code == 1
    text = (library.path / "ops.yaml").read_text(encoding="utf-8")
    assert text.startswith("# Imported by")
    assert text == (library.path / "other.yaml").read_text(encoding="utf-8")


def test_names_of_files_stay_in_their_comments(library):
    odd = library.path / "a\nb: [c.cpp"
    odd.write_text(
        'TORCH_LIBRARY(odd, m) { m.def("f(Tensor x) -> Tensor"); m.def("class() -> ()"); }', encoding="utf-8"
    )
    result = library("import", odd.name, "-o", "-")
    assert (result.exit_code, list(entries(result.stdout))) == (1, ["f"])
    assert result.stdout.startswith(r"# Imported by `opgen import 'a\nb: [c.cpp'`.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "nothing to import; name C++ or Python sources"),
        (["csrc", "-o", "mylib", "--force"], "'mylib' is a folder; name the file to write by `-o`"),
        (["nowhere"], "there is no 'nowhere'"),
        (["notes.md"], "'notes.md' is neither C++ nor Python"),
        (["mylib/__init__.py"], "no operator can be imported; read 0 definitions in 1 source"),
        (["csrc", "--namespace", "none"], "their namespaces are "),
        (["csrc", "--namespace", "TORCH_EXTENSION_NAME"], "says what that stands for"),
    ],
)
def test_where_nothing_can_be_imported_nothing_is_written(library, arguments, words):
    (library.path / "notes.md").write_text("", encoding="utf-8")
    result = library("import", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert not (library.path / "ops.yaml").exists()


def test_registered_ops_stay_where_they_are_and_are_imported_from_there(library):
    for path in ("mylib/_binding.py", "mylib/tests/load.py", "load.py"):
        (library.path / path).parent.mkdir(exist_ok=True)
        (library.path / path).write_text('import torch\ntorch.ops.load_library("mylib.so")\n', encoding="utf-8")
    result = library("import", ".", "-o", "-", "--registered")

    document = yaml.safe_load(result.stdout)
    found = entries(result.stdout)
    assert document["imports"] == ["mylib._binding", "mylib.ops"]  # not what tests and scripts load
    assert document["defaults"] == {"autograd": "none"}
    assert found["norm"] == {"func": "norm(Tensor x, float eps=1e-6) -> Tensor", "registered": "csrc/ops.cpp"}
    assert found["pick"] == {"func": "pick(Tensor x, SymInt n=3) -> Tensor", "registered": "mylib/ops.py"}


def test_sources_beside_the_folder_of_the_file_can_t_stay_registered(library):
    (library.path / "inner").mkdir()
    result = library("import", "csrc", "-o", "inner/ops.yaml", "--registered")
    assert result.exit_code == 2
    assert "mylib::norm: `registered` needs a source file below the folder of this one" in result.stderr
    assert not (library.path / "inner/ops.yaml").exists()


def test_the_example_is_imported_as_it_was_declared_by_hand(library):
    by_hand = yaml.safe_load((EXAMPLE / "1-declared/ops.yaml").read_text(encoding="utf-8"))
    imported = yaml.safe_load(library("import", EXAMPLE / "csrc", EXAMPLE / "wavelib", "-o", "-").stdout)
    registered = library("-C", EXAMPLE, "import", "csrc", "wavelib", "-o", "-", "--registered")

    assert [entry["func"] for entry in imported["ops"]] == [entry["func"] for entry in by_hand["ops"]]
    assert registered.exit_code == 0
    assert {key: yaml.safe_load(registered.stdout)[key] for key in ("namespace", "imports", "defaults")} == {
        key: by_hand[key] for key in ("namespace", "imports", "defaults")
    }


@pytest.mark.usefixtures("library")
def test_torch_is_never_imported():
    code = "import sys; from opgen.cli.group import opgen; opgen(['import', 'csrc'], standalone_mode=False); sys.exit(7 * ('torch' in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


@pytest.mark.torch
def test_a_live_module_is_imported_too(library):
    pytest.importorskip("torch")
    (library.path / "live.py").write_text(
        "import torch\nLIB = torch.library.Library('live', 'DEF')\nLIB.define('f(Tensor! x, ScalarType to=int8) -> ()')\n"
        "LIB.impl('f', lambda x, to: None, 'CPU')\n",
        encoding="utf-8",
    )
    result = library("import", "--module", "live", "-o", "-")
    assert entries(result.stdout) == {
        "f": {"func": "f(Tensor(a!) x, ScalarType to=int8) -> ()", "dispatch": {"CPU": "cpp"}}
    }
    assert "# the live process" in result.stdout

    absent = library("import", "--module", "mylib.absent")
    assert absent.exit_code == 2
    assert "'mylib.absent' can't be imported: ModuleNotFoundError: No module named 'mylib.absent'" in absent.stdout
