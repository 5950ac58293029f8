from opgen.spec.dtypes import DTYPES
from opgen.targets.dtypes import SCALAR_TYPE
from opgen.targets.templates import templates_folder


def test_every_dtype_of_the_language_has_a_scalar_type():
    assert {*SCALAR_TYPE} == {*DTYPES}


def test_cpp_messages_spell_every_dtype_as_python_does():
    header = (templates_folder() / "cpp" / "checks" / "messages.h.j2").read_text()
    for name, scalar_type in SCALAR_TYPE.items():
        assert f'case ScalarType::{scalar_type}:\n      return "{name}";' in header
