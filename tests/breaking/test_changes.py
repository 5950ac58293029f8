"""Changes, and whom each hits."""

import pytest

from opgen.breaking import Surface, compare
from opgen.breaking.sources import surface_of_sources
from opgen.readers.cpp import read_cpp
from opgen.rules.registrations.joined import join
from opgen.source import Source

HEAD = "opgen: 1\nnamespace: mylib\nops:\n  - func: "
P, E, C, S = "PYTHON", "EXPORT", "CXX", "SEMANTIC"

CHANGES = {
    "a required argument that is appended": (
        "f(Tensor x) -> Tensor",
        "f(Tensor x, int n) -> Tensor",
        {"OPG713": {P, E}, "OPG740": {C}},
    ),
    "an appended argument with a default hits C++ alone": (
        "f(Tensor x) -> Tensor",
        "f(Tensor x, int n=1) -> Tensor",
        {"OPG740": {C}},
    ),
    "an argument in front of keyword-only ones hits no call in Python": (
        "f(Tensor x, *, int k=1) -> Tensor",
        "f(Tensor x, int n=1, *, int k=1) -> Tensor",
        {"OPG714": {E}, "OPG740": {C}},
    ),
    "an argument in front of positional ones": (
        "f(Tensor x, int k=1) -> Tensor",
        "f(Tensor x, int n=1, int k=1) -> Tensor",
        {"OPG714": {P, E}, "OPG740": {C}},
    ),
    "keyword-only arguments may change places for Python": (
        "f(Tensor x, *, int n=1, int k=1) -> Tensor",
        "f(Tensor x, *, int k=1, int n=1) -> Tensor",
        {"OPG712": {E}, "OPG740": {C}},
    ),
    "positional ones may not": (
        "f(Tensor x, int n, int k) -> Tensor",
        "f(Tensor x, int k, int n) -> Tensor",
        {"OPG712": {P, E}, "OPG740": {C}},
    ),
    "a name is nothing to C++": (
        "f(Tensor x, int n) -> Tensor",
        "f(Tensor x, int size) -> Tensor",
        {"OPG711": {P, E}},
    ),
    "a name of another type is another argument": (
        "f(Tensor x, int n) -> Tensor",
        "f(Tensor x, str name) -> Tensor",
        {"OPG710": {P, E}, "OPG713": {P, E}, "OPG740": {C}},
    ),
    "numbers are converted in Python, and not in graphs": (
        "f(Tensor x, int n) -> Tensor",
        "f(Tensor x, float n) -> Tensor",
        {"OPG718": {E}, "OPG740": {C}},
    ),
    "an optional that is none any more": (
        "f(Tensor x, int? n) -> Tensor",
        "f(Tensor x, int n) -> Tensor",
        {"OPG718": {P, E}, "OPG740": {C}},
    ),
    "a wider type matters to new graphs only": (
        "f(Tensor x, int n) -> Tensor",
        "f(Tensor x, int? n) -> Tensor",
        {"OPG730": {E}, "OPG740": {C}},
    ),
    "SymInt and int are one type to graphs": (
        "f(Tensor x, SymInt n) -> Tensor",
        "f(Tensor x, int n) -> Tensor",
        {"OPG760": {S}, "OPG740": {C}},
    ),
    "a name of a result is known to graphs": (
        "f(Tensor x) -> (Tensor a, Tensor b)",
        "f(Tensor x) -> (Tensor a, Tensor c)",
        {"OPG721": {E}},
    ),
    "another contract, and the twin that goes with it": (
        "f_(Tensor(a!) x) -> Tensor(a!)",
        "f_(Tensor(a!) x) -> ()",
        {"OPG701": {E}, "OPG720": {P, E}, "OPG740": {C}},
    ),
    "what graphs leave out": (
        "f(Tensor x, int n) -> Tensor",
        "f(Tensor x, int n=1) -> Tensor",
        {"OPG730": {E}},
    ),
}

IN = 'f(Tensor x, Tensor y) -> Tensor\n    tensors: {x: "%s", y: "%s", return: "%s"}'
TENSORS = {
    "other names of sizes": (
        ("float [n]", "float [n]", "x.dtype [n]"),
        ("float [m]", "float [m]", "x.dtype [m]"),
        set(),
    ),
    "names that are exchanged": (
        ("float [n, m]", "float [n]", "x.dtype [m]"),
        ("float [m, n]", "float [m]", "x.dtype [n]"),
        set(),
    ),
    "sizes that must be equal now": (
        ("float [n]", "float [m]", "x.dtype [n]"),
        ("float [n]", "float [n]", "x.dtype [n]"),
        {"OPG753"},
    ),
    "sizes that may differ now": (
        ("float [n]", "float [n]", "x.dtype [n]"),
        ("float [n]", "float [m]", "x.dtype [n]"),
        set(),
    ),
    "a result of the other size": (
        ("float [n]", "float [n]", "x.dtype [n]"),
        ("float [n]", "float [m]", "x.dtype [m]"),
        {"OPG755"},
    ),
    "any size": (("float [n]", "float [4]", "x.dtype [n]"), ("float [n]", "float [_]", "x.dtype [n]"), set()),
    "any dims": (("float [n]", "float [4, 4]", "x.dtype [n]"), ("float [n]", "float [4, ...]", "x.dtype [n]"), set()),
    "fewer dims than any": (
        ("float [n]", "float [4, ...]", "x.dtype [n]"),
        ("float [n]", "float [4, 4]", "x.dtype [n]"),
        {"OPG753"},
    ),
    "a batch that may be empty": (
        ("float [n]", "float [n]", "x.dtype [n]"),
        ("float [*batch, n]", "float [n]", "x.dtype [*batch, n]"),
        set(),
    ),
    "a batch in the place of a dim": (
        ("float [rows, n]", "float [n]", "x.dtype [rows, n]"),
        ("float [*batch, hidden]", "float [hidden]", "x.dtype [*batch, hidden]"),
        set(),
    ),
    "a batch of two arguments": (
        ("float [rows, n]", "float [lines, n]", "x.dtype [rows, n]"),
        ("float [*batch, n]", "float [*batch, n]", "x.dtype [*batch, n]"),
        {"OPG753"},
    ),
    "a name that is another size now": (
        ("float [n]", "float [m]", "x.dtype [n]"),
        ("float [k]", "float [n, 2]", "x.dtype [n]"),
        {"OPG753", "OPG755"},
    ),
    "a name that stands alone": (
        ("float [_, n] contiguous", "any [n]", "x.dtype [n]"),
        ("float [t, n] contiguous", "any [n]", "x.dtype [n]"),
        set(),
    ),
    "a batch of the result alone": (
        ("float [*batch, n]", "float [n]", "x.dtype [n]"),
        ("float [*batch, n]", "float [n]", "x.dtype [*batch, n]"),
        {"OPG755"},
    ),
    "one dtype less": (
        ("float16|float32 [n]", "any [n]", "x.dtype [n]"),
        ("float32 [n]", "any [n]", "x.dtype [n]"),
        {"OPG752"},
    ),
    "one more": (
        ("float32 [n]", "int32 [n]", "x.dtype [n]"),
        ("float16|float32 [n]", "any [n]", "x.dtype [n]"),
        set(),
    ),
    "a tie": (("float [n]", "float [n]", "x.dtype [n]"), ("float [n]", "x.dtype [n]", "x.dtype [n]"), {"OPG752"}),
    "a layout": (
        ("float [n]", "float [n] contiguous", "x.dtype [n]"),
        ("float [n] aligned(16)", "float [n]", "x.dtype [n]"),
        {"OPG754"},
    ),
    "a device": (
        ("float [n]", "float [n] on any", "x.dtype [n]"),
        ("float [n]", "float [n] on cpu", "x.dtype [n]"),
        {"OPG754"},
    ),
    "a result of another dtype": (
        ("float [n]", "float [n]", "x.dtype [n]"),
        ("float [n]", "float [n]", "float32 [n]"),
        {"OPG755"},
    ),
}


OUT = "f(Tensor(a!) out, Tensor x) -> ()"
FORM = "f(Tensor x, Tensor y) -> Tensor"
KEYS = {
    "a destination becomes state": (OUT, "overwrites: [out]", "doc: Fills.", {"OPG757"}),
    "a destination becomes scratch": (OUT, "overwrites: [out]", "scratch: [out]", {"OPG757"}),
    "state becomes a destination": (OUT, "doc: Adds.", "overwrites: [out]", {"OPG757"}),
    "overlap is refused": (OUT, "may_overlap: [out, x]", "doc: Adds.", {"OPG757"}),
    "overlap is allowed": (OUT, "doc: Adds.", "may_overlap: [out, x]", set()),
    "an output that is an input is refused": (OUT, "alias_safe: true", "doc: Adds.", {"OPG757"}),
    "a formula is gone": (FORM, "autograd: {x: grad, y: grad}", "autograd: {x: grad}", {"OPG758"}),
    "formulas become composite": (FORM, "autograd: {x: grad, y: grad}", "autograd: composite", set()),
    "what warned raises": (FORM, "autograd: none", "autograd: error", {"OPG758"}),
    "what raised warns": (FORM, "autograd: error", "autograd: none", set()),
    "composite is given up": (FORM, "autograd: composite", "autograd: none", {"OPG758", "OPG761"}),
    "another autocast": (FORM, "autocast: float32", "autocast: promote", {"OPG759"}),
    "vmap is gone": (FORM, "vmap: mylib.vmap:f", "doc: Adds.", {"OPG759"}),
    "vmap is new": (FORM, "doc: Adds.", "vmap: mylib.vmap:f", set()),
    "it can not be compiled": (FORM, "doc: Adds.", "fake: none", {"OPG759"}),
    "it can be compiled": (FORM, "fake: none", "doc: Adds.", set()),
    "calls may be dropped": (FORM, "side_effects: true", "doc: Adds.", {"OPG759"}),
    "a composite serves every backend": (
        FORM,
        "dispatch: {CPU: python, CUDA: python}",
        "dispatch: {CompositeExplicitAutograd: python}",
        set(),
    ),
    "a composite that served others than CPU": (
        FORM,
        "dispatch: {CompositeExplicitAutograd: python}",
        "dispatch: {CPU: python}",
        {"OPG761"},
    ),
    "the classic ABI": (FORM, "abi: stable", "abi: classic", {"OPG703"}),
    "another tag": (FORM, "doc: Adds.", "tags: [pointwise]", {"OPG731"}),
    "another condition": (FORM, 'checks: ["rank(x) > 1"]', 'checks: ["rank(x) > 2"]', {"OPG756"}),
    "other blanks in a condition": (FORM, 'checks: ["rank(x)>1"]', 'checks: ["rank(x) > 1"]', set()),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_schema_hits(name, surface):
    old, new, expected = CHANGES[name]
    found = compare(surface(f"{HEAD}{old}\n"), surface(f"{HEAD}{new}\n"))
    assert {one.diagnostic.code.id: {each.value for each in one.categories} for one in found} == expected


@pytest.mark.parametrize("name", TENSORS)
def test_a_change_of_the_tensor_contract_hits(name, surface):
    old, new, expected = TENSORS[name]
    found = compare(surface(f"{HEAD}{IN % old}\n"), surface(f"{HEAD}{IN % new}\n"))
    assert {one.diagnostic.code.id for one in found} == expected


@pytest.mark.parametrize("name", KEYS)
def test_a_change_of_a_key_hits(name, surface):
    func, old, new, expected = KEYS[name]
    found = compare(*(surface(f"{HEAD}{func}\n    {keys}\n") for keys in (old, new)))
    assert {one.diagnostic.code.id for one in found} == expected


def test_a_write_that_was_not_declared_tells_what_to_do_about_graphs_of_before(surface):
    old, new = surface(f"{HEAD}f(Tensor buf) -> ()\n"), surface(f"{HEAD}f(Tensor(a!) buf) -> ()\n")
    (found,) = (one.diagnostic for one in compare(old, new) if one.diagnostic.code.id == "OPG750")
    assert found.message.startswith("the argument 'buf' is written now")
    assert "compiled or exported before are wrong, too" in found.help
    assert "empty the caches" in found.help


def test_a_gradient_of_a_renamed_argument_is_not_gone(surface):
    old = f"{HEAD}f(Tensor x) -> Tensor\n    autograd: {{x: grad}}\n"
    found = compare(surface(old), surface(old.replace("Tensor x", "Tensor y").replace("{x:", "{y:")))
    assert {one.diagnostic.code.id for one in found} == {"OPG711"}


def test_an_op_that_is_there_but_can_not_be_read_was_not_removed():
    text = 'TORCH_LIBRARY(mylib, m) {{ m.def("f({} x) -> Tensor"); m.def("g(Tensor x) -> Tensor"); }}'
    old, new = (
        surface_of_sources(join(read_cpp([Source("ops.cpp", text.format(type_))], {}))) for type_ in ("Tensor", "Tensr")
    )
    assert compare(old, new) == []
    assert [one.diagnostic.code.id for one in compare(old, Surface({"mylib::f": old.ops["mylib::f"]}))] == ["OPG700"]


def test_a_derived_op_is_an_op_to_its_callers(surface):
    old = f"{HEAD}f(Tensor x) -> Tensor\n    autogen: [f.out]\n    tensors: {{x: 'float [n]', return: 'x.dtype [n]'}}\n"
    found = compare(surface(old), surface(old.replace("Tensor x", "Tensor y").replace("x", "y")))
    (renamed,) = [one.diagnostic for one in found if one.diagnostic.code.name == "renamed-argument"]
    assert (renamed.op, renamed.message) == ("mylib::f", "the argument 'x' was renamed to 'y' (breaks PYTHON, EXPORT)")
    assert [note.message for note in renamed.notes] == ["this is how it was", "so it is for mylib::f.out"]
    gone = compare(surface(old), surface(old.replace("    autogen: [f.out]\n", "")))
    assert [one.diagnostic.op for one in gone] == ["mylib::f.out"]


def test_what_only_a_derived_op_meets_is_said_of_it(surface):
    old = f"{HEAD}f(Tensor! x, Tensor y) -> ()\n    overwrites: [x]\n    autogen: [f.functional]\n"
    old += "    tensors: {y: 'float [n]', x: 'y.dtype [n]'}\n"
    found = compare(surface(old), surface(old.replace("y.dtype", "float32")))
    assert {one.diagnostic.op for one in found} == {"mylib::f"}
    found = compare(
        surface(old),
        surface(
            old.replace("x, Tensor y", "x, Tensor y, *, Tensor(b!) z")
            .replace("[x]", "[x, z]")
            .replace("x: '", "z: 'float32 [n]', x: '")
        ),
    )
    assert {one.diagnostic.op for one in found} == {"mylib::f", "mylib::f.functional"}


def test_a_removal_points_at_what_it_may_have_been_renamed_to(surface):
    old = f"{HEAD}other(Tensor x) -> ()\n    side_effects: true\n  - func: scale_rows(Tensor x) -> Tensor\n"
    (found,) = compare(surface(old), surface(old.replace("scale_rows", "scale_row")))
    assert "mylib::scale_rows was removed, mylib::scale_row is new: was it renamed?" in found.diagnostic.message
    assert found.diagnostic.location.start.line == 6
    assert found.diagnostic.notes[0].location.start.line == 6
