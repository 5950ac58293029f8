import pytest

from opgen.model.build import build_library
from opgen.model.contract import Contract
from opgen.model.unsupported import unsupported
from opgen.schema.parser import parse_schema
from opgen.source import Text
from opgen.spec.library import DispatchEntry, LibrarySpec, OpSpec
from opgen.spec.load import load_library


def op_spec(text, **keys):
    func = Text.of(text)
    schema = parse_schema(text).schema
    assert schema is not None, text
    return OpSpec(func, schema, func.locate(), **keys)


def library_of(*specs, **keys):
    spec = LibrarySpec("ops.yaml", ("ops.yaml",), 1, Text.of("mylib"), "mylib_ops", ops=specs, **keys)
    result = build_library(spec)
    assert result.diagnostics == ()
    return result.library


def op_of(text, **keys):
    (op,) = library_of(op_spec(text, **keys)).ops
    return op


def test_ops_are_sorted_by_their_qualified_name():
    texts = (
        "b(Tensor x) -> Tensor",
        "other::a(Tensor x) -> Tensor",
        "a.out(Tensor x) -> Tensor",
        "a(Tensor x) -> Tensor",
    )
    names = [op.qualified_name for op in library_of(*map(op_spec, texts)).ops]
    assert names == ["mylib::a", "mylib::a.out", "mylib::b", "other::a"]


@pytest.mark.parametrize(
    ("text", "outputs"),
    [
        ("f(Tensor x) -> Tensor", [("out", None)]),
        ("f(Tensor x) -> (Tensor, Tensor)", [("out0", None), ("out1", None)]),
        ("f(Tensor x) -> (Tensor values, Tensor)", [("values", None), ("out1", None)]),
        ("f(Tensor out) -> Tensor", [("out_", None)]),
        ("f(Tensor x) -> (Tensor x, Tensor x)", [("x_", None), ("x__", None)]),
        ("f(Tensor(a!) x) -> Tensor(a!)", [("x", "x")]),
        ("f(Tensor x, *, Tensor(a!) p, Tensor(b!) q) -> (Tensor(a!), Tensor(b!))", [("p", "p"), ("q", "q")]),
        ("f(Tensor(a) x) -> Tensor(a)", [("x", "x")]),
        ("f(Tensor(a!) x) -> ()", []),
    ],
)
def test_an_output_has_a_name_and_knows_the_argument_that_it_is(text, outputs):
    assert [(output.name, output.alias_of) for output in op_of(text).outputs] == outputs


def test_arguments_know_their_roles():
    op = op_of(
        "f(Tensor(a!) dst, Tensor x, Tensor(b!) work, Tensor(c!) cache) -> ()",
        overwrites=(Text.of("dst"),),
        scratch=(Text.of("work"),),
    )
    roles = {argument.name: (argument.written, argument.overwrites, argument.scratch) for argument in op.arguments}
    assert roles == {
        "dst": (True, True, False),
        "x": (False, False, False),
        "work": (True, False, True),
        "cache": (True, False, False),
    }


def test_an_out_is_a_destination_without_being_said_so_and_an_in_place_argument_is_not():
    (out,) = op_of("f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)").written
    assert (out.overwrites, out.returned_as) == (True, 0)
    (first,) = op_of("f(Tensor(a!) x) -> Tensor(a!)").written
    assert (first.overwrites, first.returned_as) == (False, 0)


@pytest.mark.parametrize(
    ("text", "keys", "kernels"),
    [
        ("f.out(Tensor x) -> Tensor", {}, [("CPU", "mylib::cpu::f_out", "kernels/cpu/f_out.cpp")]),
        ("f(Tensor[]? xs) -> ()", {}, [("CPU", "mylib::cpu::f", "kernels/cpu/f.cpp")]),
        ("other::f(Tensor x) -> Tensor", {}, [("CPU", "other::cpu::f", "kernels/cpu/f.cpp")]),
        (
            "f(int n) -> Tensor",
            {},
            [("CompositeExplicitAutograd", "mylib::composite::f", "kernels/composite/f.cpp")],
        ),
        (
            "f(Tensor x) -> Tensor",
            {"dispatch": (DispatchEntry(Text.of("CUDA"), "cuda"), DispatchEntry(Text.of("CPU"), "python"))},
            [("CUDA", "mylib::cuda::f", "kernels/cuda/f.cu"), ("CPU", "mylib::cpu::f", "kernels/cpu/f.py")],
        ),
        (
            "f(Tensor x) -> Tensor",
            {"dispatch": (DispatchEntry(Text.of("CUDA"), "cuda", "a::g", allocates=True),)},
            [("CUDA", "a::g", "kernels/cuda/f.cu")],
        ),
        ("f(Tensor x) -> Tensor", {"registered": Text.of("csrc/bindings.cpp")}, []),
    ],
)
def test_kernels_have_a_key_a_function_and_a_file(text, keys, kernels):
    op = op_of(text, **keys)
    assert [(kernel.dispatch_key, kernel.symbol, kernel.path) for kernel in op.kernels] == kernels


@pytest.mark.parametrize(
    ("entry", "tags"),
    [
        ("f(Tensor x) -> Tensor", "needs_exact_strides"),
        ("f_(Tensor(a!) x) -> Tensor(a!)", "inplace needs_exact_strides"),
        ("f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "needs_exact_strides out"),
        ("f(Tensor x) -> Tensor\n    tags: [pointwise]", "needs_exact_strides pointwise"),
        ("f(Tensor x) -> Tensor\n    tags: [flexible_layout]", "flexible_layout"),
        (
            'f(Tensor x) -> Tensor\n    tensors: {x: "float [n] contiguous", return: "x.dtype [n]"}',
            "needs_contiguous_strides",
        ),
        (
            'f(Tensor x, Tensor y) -> Tensor\n    tensors: {x: "float [n] contiguous", return: "x.dtype [n]"}',
            "needs_exact_strides",
        ),
        ('f(Tensor(a!) x) -> ()\n    tensors: {x: "float [n] contiguous"}', "needs_exact_strides"),
        (
            'f(Tensor x) -> Tensor\n    tensors: {x: "float [n]", return: "x.dtype [?k]"}',
            "dynamic_output_shape needs_exact_strides",
        ),
    ],
)
def test_tags_follow_from_contract_layout_and_outputs(entry, tags, tmp_path):
    path = tmp_path / "ops.yaml"
    path.write_text(f"opgen: 1\nnamespace: mylib\nops:\n  - func: {entry}\n", encoding="utf-8")
    (op,) = build_library(load_library(path).library).library.ops
    assert op.tags == tuple(tags.split())


def test_the_abi_of_an_op_wins_over_that_of_the_library():
    ops = library_of(op_spec("f(Tensor x) -> Tensor", abi="stable"), op_spec("g() -> ()"), abi="classic").ops
    assert [op.abi for op in ops] == ["stable", "classic"]


def test_mistakes_of_the_tensor_contract_come_with_the_name_of_the_op(tmp_path):
    path = tmp_path / "ops.yaml"
    func = 'f(Tensor x) -> Tensor\n    tensors: {x: "float [n]", y: "float [n]"}'
    path.write_text(f"opgen: 1\nnamespace: mylib\nops:\n  - func: {func}\n", encoding="utf-8")
    result = build_library(load_library(path).library)
    assert [diagnostic.op for diagnostic in result.diagnostics] == ["mylib::f"]
    assert result.library.ops[0].contract is Contract.FUNCTIONAL


@pytest.mark.parametrize(
    ("text", "keys", "word"),
    [
        (
            "f(Tensor x) -> Tensor",
            {"resize_out": True, "dispatch": (DispatchEntry(Text.of("CPU"), "python"),)},
            "resize_out",
        ),
        ("f(Tensor x) -> Tensor", {"abi": "classic", "dispatch": (DispatchEntry(Text.of("CUDA"), "cuda"),)}, "classic"),
        ("f(Tensor(a) x) -> Tensor(a)", {}, "view"),
        ("f(...) -> Tensor", {}, "..."),
        ("f(Tensor x) -> Tensor", {"dispatch": (DispatchEntry(Text.of("CPU"), "cuda"),)}, "cuda kernel for CPU"),
        ("f(Tensor x) -> Tensor", {"dispatch": (DispatchEntry(Text.of("XPU"), "cpp"),)}, "XPU"),
    ],
)
def test_what_no_target_renders_is_said(text, keys, word):
    (diagnostic,) = unsupported(library_of(op_spec(text, **keys)))
    assert word in diagnostic.message
    assert diagnostic.op == "mylib::f"


def test_definitions_in_a_binary_alone_are_not_rendered_yet():
    (diagnostic,) = unsupported(library_of(define_in="cpp"))
    assert "`define_in: cpp`" in diagnostic.message
    assert "`define_in: both`" in diagnostic.help


def test_a_plain_declaration_is_generated():
    keys = {"autograd": Text.of("none"), "autocast": Text.of("none"), "fake": Text.of("none")}
    assert unsupported(library_of(op_spec("f(Tensor x, int n=1) -> Tensor", **keys))) == []
