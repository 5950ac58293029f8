"""Rules and target agree on the types of either ABI."""

import pytest

from opgen.model.build import build_library
from opgen.rules.types import classic_abi_type, stable_abi_type
from opgen.spec.load import load_library
from opgen.targets.cpp.types import parameter_type, result_type

TYPES = """
    Tensor Tensor? Tensor[] Tensor?[] Tensor[]? int SymInt int[] SymInt[2] int? float float[]? bool bool[3] str str[] str?
    ScalarType ScalarType? Layout MemoryFormat Device Device? Generator Generator? Scalar Scalar? Scalar[] complex Storage
    Stream QScheme Any (int,float) (int,Any) Dict(str,int) Dict(Device,int) Dict(str,Any) Future(Tensor)
    __torch__.torch.classes.mylib.Table
"""
RULES = {"stable": stable_abi_type.RULE, "classic": classic_abi_type.RULE}


@pytest.mark.parametrize("abi", RULES)
@pytest.mark.parametrize("type_", TYPES.split())
def test_what_the_rule_accepts_has_a_type_in_cpp_and_what_it_refuses_has_none(type_, abi, tmp_path):
    path = tmp_path / "ops.yaml"
    head = f'opgen: 1\nnamespace: mylib\nabi: {abi}\ntorch: ">=2.13"\n'
    path.write_text(f'{head}ops:\n  - func: "f({type_} x) -> {type_}"\n', encoding="utf-8")
    library = build_library(load_library(path).library).library
    (op,) = library.ops
    assert bool(list(RULES[abi].check(op, library))) == (not has_cpp_type(op))


def has_cpp_type(op):
    try:
        parameter_type(op.arguments[0].type, op.abi)
        result_type(tuple(output.type for output in op.outputs), op.abi)
    except ValueError:
        return False
    return True
