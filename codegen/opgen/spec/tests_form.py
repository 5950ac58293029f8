"""The form of ``tests``, the settings of the generated tests of an op."""

from __future__ import annotations

from opgen.spec.dtypes import DTYPES
from opgen.spec.fields import Fields, Key, Table
from opgen.spec.forms import (
    FUNCTION,
    INTEGER,
    NAME,
    NUMBER,
    STRING,
    Form,
    dictionary_of,
    either,
    list_of,
    mapped,
    one_of,
)
from opgen.spec.library import TestSettings
from opgen.spec.report import Report
from opgen.spec.yaml import Mapping, Node, Scalar, Sequence


def _is_name(node: Node) -> bool:
    return isinstance(node, Scalar) and node.text.value[:1].isidentifier()


_SIZE: Form[int | str] = either(INTEGER, mapped(NAME, lambda text: text.value), _is_name)
_DTYPE = one_of(DTYPES, name="the name of a dtype", otherwise="write it as torch names it, 'bfloat16'")
_NUMBERS = list_of(NUMBER, "two numbers, [rtol, atol]")
_TOLERANCE = {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 2, "maxItems": 2}


def _read_tolerance(node: Node, report: Report) -> tuple[float, float] | None:
    if isinstance(node, Sequence):
        numbers = _NUMBERS.read(node, report) or ()
        if len(numbers) < len(node.items):
            return None  # reported already
        if len(numbers) == len(("rtol", "atol")) and min(numbers) >= 0:
            return numbers[0], numbers[1]
    report.wrong_type(node, _NUMBERS.name, "write [0.01, 0.01], neither of them negative")
    return None


SIZES = Key(
    "sizes",
    dictionary_of(list_of(_SIZE, "a list of sizes"), "a mapping of sizes to lists of values"),
    "Values to try for a name in `tensors` or for an integer argument: numbers, or other such names.",
    "{block_size: [16, 32], max_len: [total]}",
    default="chosen to fit the contract",
)
TOLERANCE = Key(
    "tolerance",
    dictionary_of(Form(_NUMBERS.name, _read_tolerance, _TOLERANCE), "a mapping of dtypes to [rtol, atol]", _DTYPE),
    "Allowed difference between result and reference, by dtype, as in `torch.testing.assert_close`.",
    "{bfloat16: [1e-2, 1e-2]}",
    default="those of `torch.testing.assert_close`",
)
SAMPLES = Key(
    "samples",
    mapped(FUNCTION, lambda text: text.value),
    "A function that yields sample inputs, if none can be derived from the contract.",
    '"tests.samples:boxes_inside"',
    default="derived from `tensors`",
)
TEST_NAMES = (
    "test_registered",
    "test_wrong_calls",
    "test_every_form",
    "test_missing_and_surplus_arguments",
    "test_reference",
    "test_values",
    "test_repetition",
    "test_layouts",
    "test_identity",
    "test_undeclared_writes",
    "test_bounds",
    "test_same_argument",
    "test_versions",
    "test_fresh_outputs",
    "test_old_contents",
    "test_leaves",
    "test_gradients",
    "test_gradcheck",
    "test_gradient_reference",
    "test_gradient_needs",
    "test_gradient_opcheck",
    "test_gradient_compile",
    "test_gradient_transforms",
    "test_gradient_not_implemented",
    "test_gradient_refused",
    "test_fake",
    "test_second_device",
    "test_family",
    "test_autocast",
    "test_vmap",
    "test_opcheck",
    "test_compile_aot_eager",
    "test_compile_inductor",
    "test_compile_views",
    "test_compile_effects",
    "test_export",
    "test_aoti",
    "test_dynamic_sizes",
    "test_drawn_samples",
)
"""The names of generated tests, which ``xfail`` may mention. Source: ``templates/tests/support/tests.py.j2``."""
_TEST = one_of(TEST_NAMES, name="the name of a generated test", otherwise=f"write one of {', '.join(TEST_NAMES)}")

XFAIL = Key(
    "xfail",
    dictionary_of(STRING, "a mapping of tests to reasons", _TEST),
    "Tests that are known to fail, each with the reason. An expected failure that passes is reported. The tests are "
    f"{', '.join(f'`{name}`' for name in TEST_NAMES)}; an op has only those that apply to it.",
    "{test_opcheck: the kernel reads sizes from a tensor}",
    default="none",
)
SKIP = Key(
    "skip",
    STRING,
    "The reason why no generated test can run the op.",
    "needs two processes with a device each",
    default="not skipped",
)
TESTS_TABLE = Table("'tests'", (SIZES, TOLERANCE, SAMPLES, XFAIL, SKIP))


def _read_tests(node: Node, report: Report) -> TestSettings | None:
    if not isinstance(node, Mapping):
        report.wrong_type(node, TESTS.name, f"it takes {', '.join(TESTS_TABLE.names)}")
        return None
    fields = Fields(node, TESTS_TABLE, report)
    return TestSettings(
        sizes=fields.get(SIZES) or {},
        tolerance=fields.get(TOLERANCE) or {},
        samples=fields.get(SAMPLES),
        xfail=fields.get(XFAIL) or {},
        skip=fields.get(SKIP),
    )


TESTS: Form[TestSettings] = Form("a mapping", _read_tests, TESTS_TABLE.json)
