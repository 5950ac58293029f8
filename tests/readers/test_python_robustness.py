"""Python that would take for ever to follow, or all memory: it is read as far as that goes, and no further."""

import pytest

from opgen.readers.python import read_python
from opgen.source import Source

HEAD = "import functools, torch\nlib = torch.library.Library('a', 'DEF')\nROUNDS = range(199)\n"
MANY = 40


def chain(first, step):
    """Lines each of which reads the one before it; the last one's name ends in 39."""
    return first + "".join(step.format(now=now, before=now - 1) for now in range(1, MANY))


HOSTILE = {
    "texts that double": chain("x0 = 'f'\n", "x{now} = x{before} + x{before}\n") + "lib.define(x39)",
    "fields that double": chain("x0 = 'f'\n", "x{now} = f'{{x{before}}}{{x{before}}}'\n") + "lib.define(x39)",
    "formats that double": chain("x0 = 'f'\n", "x{now} = '{{}}{{}}'.format(x{before}, x{before})\n"),
    "replacements": chain("x0 = 'ff'\n", "x{now} = x{before}.replace('f', x{before})\n"),
    "a width": "x = '{:>9999999999}'.format('f')\ny = '{:>{}}'.format('f', 9999999999)\nz = '{::>9999999999}'.format('f')",
    "lists that double": chain("x0 = [1]\n", "x{now} = x{before} + x{before}\n"),
    "lists in lists": chain("x0, y0 = [1], [1]\n", "x{now} = [x{before}] * 2\ny{now} = [y{before}, y{before}]\n")
    + "if A:\n    z = [y39, y38]\nelse:\n    z = [y39, [y37, y37]]\nw = y39 == [y38, y38]",
    "types in types": chain("T0 = int\n", "T{now} = dict[T{before}, T{before}]\n")
    + "@torch.library.custom_op('a::f', mutates_args=())\ndef f(x: T39) -> T39: ...",
    "libraries of libraries": chain("x0 = 'a'\n", "x{now} = torch.library.Library(x{before}, x{before})\n")
    + "z = x39 if A else torch.library.Library(x38, x38)",
    "bases of bases": chain(
        "class A0: pass\nclass B0: pass\n",
        "class A{now}(A{before}, B{before}): pass\nclass B{now}(A{before}, B{before}): pass\n",
    )
    + "lib.define(A39.name)",
    "squares": chain("x0 = 3\n", "x{now} = x{before} * x{before}\n") + "lib.define(f'{x39}')",
    "powers": chain("x0 = 3\n", "x{now} = x{before} ** 63\n") + "lib.define(f'{x39}')",
    "shifts": "x = 1 << 100000000000\ny = 1 << (1 << 62)",
    "digits": f"x = 0x{'F' * 6000}\nlib.define(f'{{x}}')",
    "a range": "for i in range(10 ** 30):\n    lib.define('f() -> ()')",
    "loops in loops": "for a in ROUNDS:\n for b in ROUNDS:\n  for c in ROUNDS:\n   for d in ROUNDS:\n    lib.define('f() -> ()')",
    "lists of lists of calls": "[[[[lib.define('f() -> ()') for a in ROUNDS] for b in ROUNDS] for c in ROUNDS] for d in ROUNDS]",
    "helpers of helpers": chain("def f0(): lib.define('f() -> ()')\n", "def f{now}():\n" + "    f{before}()\n" * 12)
    + "f7()",
    "functions that call themselves": "f = lambda g: (g(g), g(g))\nf(f)\nf(lambda g: f(g))",
    "calls of calls": "x" + ".t()" * MANY,
    "partials of partials": "p = print\n" + "p = functools.partial(p, lib)\n" * 3000 + "p()",
    "ends in a row": "".join(f"if A{i}:\n    raise\nlib.define('f{i}() -> ()')\n" for i in range(2000)),
    "a table": "d = {}\n" + "".join(f"d['k{i}'] = {i}\n" for i in range(2000)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_grows_without_end_is_not_followed(what):
    following = "\nlib.define('last(Tensor x) -> Tensor')\n"
    read = read_python([Source("ops.py", HEAD + HOSTILE[what] + following)])
    found = {definition.schema.value for definition in read.definitions}
    assert "last(Tensor x) -> Tensor" in found or any("too deeply" in each.reason for each in read.unread)


def test_a_loop_that_is_too_long_is_said_to_be():
    loops = "for a in ROUNDS:\n for b in ROUNDS:\n  for c in ROUNDS:\n   lib.define(f'f{a}_{b}_{c}() -> ()')\n"
    read = read_python([Source("ops.py", HEAD + loops)])
    assert "its loop has too many rounds to be followed" in read.unread[-1].reason


def test_a_module_is_read_whatever_others_take():
    """Those that never end are read first, and their functions are run through before those of others."""
    loops = "for a in ROUNDS:\n for b in ROUNDS:\n  for c in ROUNDS:\n   print(a, b, c)\n"
    helper = "def define(name):\n    lib.define(f'{name}() -> ()')\n"
    calls = f"import endless\n{HEAD}{helper}define('f')\ndef late():\n    define('g')\n"
    sources = [Source("endless.py", f"{HEAD}{loops}"), Source("ops.py", calls), Source("z.py", f"{HEAD}{loops}")]
    assert [each.schema.value for each in read_python(sources).definitions] == ["f() -> ()", "g() -> ()"]


@pytest.mark.parametrize(("number", "value"), [("2 ** 40", 2**40), ("2**63 - 1", 2**63 - 1), ("1 << 62", 1 << 62)])
def test_numbers_that_a_schema_may_hold_are_computed(number, value):
    read = read_python([Source("ops.py", f"{HEAD}MOST = {number}\nlib.define(f'f(int n={{MOST}}) -> ()')")])
    assert [each.schema.value for each in read.definitions] == [f"f(int n={value}) -> ()"]


def test_a_table_of_many_ops_is_read_whole():
    entries = ", ".join(f"('f{i}', 'Tensor x', 'Tensor')" for i in range(200))
    text = HEAD + f"for name, given, result in [{entries}]:\n    lib.define(f'{{name}}({{given}}) -> {{result}}')\n"
    assert len(read_python([Source("ops.py", text)]).definitions) == 200
