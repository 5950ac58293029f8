"""Inputs that grow: of each, what a stranger could make long, as a function of how long.

``growth.py`` times them by hand, ``test_growth.py`` counts calls.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from front_ends import FRONT_ENDS, HEAD

from opgen.build.check import check
from opgen.spec.yaml.file import decode_source


def _joined(count: int, piece: Callable[[int], str], separator: str = ", ") -> str:
    return separator.join(map(piece, range(count)))


def _op(number: int) -> str:
    return (
        f"  - func: f{number}(Tensor x, int a=1) -> Tensor\n"
        "    tensors: {x: 'float [*b, n]', return: 'x.dtype [*b, n]'}\n"
    )


def _ops(entries: Iterable[str]) -> str:
    return "ops:\n" + "".join(entries)


def _tensors(count: int, piece: Callable[[int], str], result: str = "float32 [m]") -> str:
    arguments = _joined(count, lambda i: f"Tensor a{i}")
    contracts = _joined(count, lambda i: f"a{i}: {piece(i)}")
    return _ops([f"  - func: f({arguments}) -> Tensor\n    tensors: {{{contracts}, return: '{result}'}}\n"])


def _one(keys: str, schema: str = "f(Tensor x, int k) -> Tensor") -> str:
    return _ops(
        [f"  - func: {schema}\n    tensors: {{x: 'float [n]', return: 'x.dtype [n]'}}\n", keys],
    )


def _in_block(body: str) -> str:
    return f"TORCH_LIBRARY(a, m) {{\n{body}\n}}\n"


def _numbers(count: int, checks: str) -> str:
    """An op of as many integers, with some checks."""
    schema = f"f(Tensor x, {_joined(count, 'int k{}=0'.format)}, int k{count}=0) -> Tensor"
    return _one(f"    checks:\n{checks}", schema)


def _of_each(count: int, argument: str, contract: str) -> str:
    """An op of as many arguments, each with a contract."""
    arguments, contracts = (_joined(count, each.format) for each in (argument, contract))
    return _ops(
        [
            f"  - func: f(Tensor x, {arguments}) -> Tensor\n",
            f"    tensors: {{x: 'float [n]', {contracts}, return: 'x.dtype [n]'}}\n",
        ]
    )


def _kernels(count: int, name: str = "f{}") -> str:
    return _joined(count, lambda i: f"Tensor {name.format(i)}(const Tensor& x) {{ return x; }}\n", "")


def _impl(body: str) -> str:
    return f"TORCH_LIBRARY_IMPL(a, CPU, m) {{\n{body}\n}}\n"


def _of_body(statements: str) -> str:
    """A kernel in C++."""
    return f"Tensor f(Tensor x) {{\n{statements}return x; }}\n" + _in_block('m.def("f(Tensor x) -> Tensor", &f);')


LIBRARY = "import torch\nlib = torch.library.Library('a', 'DEF')\n"

INPUTS: dict[str, dict[str, Callable[[int], str]]] = {
    "schema": {
        "arguments": lambda n: f"f({_joined(n, 'Tensor a{}'.format)}) -> ()",
        "returns": lambda n: f"f() -> ({_joined(n, 'Tensor a{}'.format)})",
        "blanks": lambda n: f"f(Tensor x{' ' * 10 * n}) -> ()",
        "parentheses": lambda n: f"f({'(' * n}int{')' * n} x) -> ()",
        "open parentheses": lambda n: f"f({'(' * n}",
        "brackets": lambda n: f"f(Tensor{'[]' * n} x) -> ()",
        "optionals": lambda n: f"f(int{'?' * n} x) -> ()",
        "dictionaries": lambda n: f"f({'Dict(str, ' * n}int{')' * n} x) -> ()",
        "one alias set": lambda n: f"f(Tensor({_joined(n, 'a{}'.format, '|')}) x) -> ()",
        "alias sets": lambda n: f"f({_joined(n, lambda i: f'Tensor(a{i}!) x{i}')}) -> ()",
        "aliased returns": lambda n: (
            f"f({_joined(n, lambda i: f'Tensor(a{i}!) x{i}')}) -> ({_joined(n, lambda i: f'Tensor(a{i}!)')})"
        ),
        "a text": lambda n: "f(str s='" + "\\'" * n + "') -> ()",
        "a list": lambda n: f"f(int[] s=[{_joined(n, str)}]) -> ()",
        "digits": lambda n: f"f(int s={'9' * n}) -> ()",
        "a name": lambda n: f"{'f' * n}(Tensor x) -> ()",
        "comments": lambda n: "f(Tensor x" + "# c\n" * n + ") -> ()",
        "comments in front": lambda n: "# c\n" * n + "f(Tensor x) -> ()",
        "lines": lambda n: "f(Tensor x" + "\n" * n + ") -> ()",
        "continued lines": lambda n: "f(Tensor x" + "\\\n" * n + ") -> ()",
        "junk": lambda n: "f(Tensor x) -> " + "$" * n,
    },
    "tensors": {
        "dims": lambda n: f"float [{_joined(n, 'n{}'.format)}]",
        "a sum": lambda n: f"float [{_joined(n, 'n{}'.format, '+')}]",
        "parentheses": lambda n: f"float [{'(' * n}m{')' * n}]",
        "signs": lambda n: f"float [{'-' * n}m]",
        "or": lambda n: _joined(n, "a{} < b".format, " or "),
        "comparisons": lambda n: _joined(n, "a{}".format, " < "),
        "choices": lambda n: "a if b else " * n + "c",
        "dtypes": lambda n: f"{_joined(n, lambda _: 'float32', '|')} [n]",
        "words": lambda n: f"mode in ({_joined(n, lambda i: repr(f'w{i}'))})",
        "calls": lambda n: "max(" * n + "a, b" + ")" * n,
        "junk": lambda n: "float [" + "$" * n,
        "blanks": lambda n: f"float [n{' ' * 10 * n}]",
        "digits": lambda n: f"float [{'9' * n}]",
    },
    "expression": {
        "a sum": lambda n: _joined(n, lambda i: "x" if i % 2 else "i", " + "),
        "a product of sums": lambda n: _joined(n, lambda i: f"(x + {i})", " * "),
        "halves": lambda n: _joined(n, lambda i: f"z[..., d*{i}:]", " + "),
        "parentheses": lambda n: f"{'(' * n}x{')' * n}",
        "signs": lambda n: f"{'-' * n}x",
        "calls": lambda n: f"{'exp(' * n}x{')' * n}",
        "powers": lambda n: _joined(n, lambda _: "x", " ** "),
        "choices": lambda n: "x if b else " * n + "x",
        "comparisons": lambda n: _joined(n, lambda _: "x", " < "),
        "and": lambda n: _joined(n, lambda i: f"x < {i}", " and "),
        "arguments": lambda n: f"clamp({_joined(n, lambda _: 'x')})",
        "junk": lambda n: "x" + "$" * n,
        "questions": lambda n: "x ? " * n,
        "names and dots": lambda n: "x . " * n,
        "digits": lambda n: "x + " + "9" * n,
    },
    "yaml": {
        "nesting": lambda n: f"a: {'[' * n}{']' * n}",
        "keys": lambda n: _joined(n, lambda i: f"k{i}: v\n", ""),
        "items": lambda n: "a:\n" + _joined(n, lambda i: f"- {{x: {i}, y: 'q'}}\n", ""),
        "a text": lambda n: 'a: "' + "\\u0041" * n + '"\n',
        "a folded text": lambda n: "a: >\n" + "  word\n" * n,
        "a quoted text of many lines": lambda n: 'a: "' + "word\n  " * n + '"\n',
        "a plain text of many lines": lambda n: "a: " + "word\n  " * n + "end\n",
        "comments": lambda n: "#c\n" * n + "a: b\n",
        "comments after items": lambda n: "a:\n" + "- x # c\n" * n,
        "the same key": lambda n: "a: b\n" * n,
        "anchors": lambda n: "a:\n" + _joined(n, lambda i: f"- &x{i} {{k: v}}\n", "") + "b: [*x0]\n",
        "aliases": lambda n: "a: &x {k: v}\nb:\n" + "- *x\n" * n,
        "merges": lambda n: "a: &x {k: v}\nb:\n" + "- {<<: *x, l: w}\n" * n,
        "forbidden characters": lambda n: "a: " + "\u202e" * n + "\n",
        "an anchor's blanks": lambda n: "a: &x" + " " * n + "b\n",
        "tags": lambda n: "a:\n" + "- !t b\n" * n,
        "open brackets": lambda n: "a: " + "[" * n,
        "blank lines": lambda n: "a: b\n" + "\n" * n + "c: d\n",
        "tabs": lambda n: "a: b\n" + "\t" * n + "\n",
    },
    "library": {
        "ops": lambda n: _ops(map(_op, range(n))),
        "the same op": lambda n: _ops(map(_op, [0] * n)),
        "overloads": lambda n: _ops(f"  - func: f.o{i}(Tensor x) -> Tensor\n" for i in range(n)),
        "tensors of their own sizes": lambda n: _tensors(n, "'float [n{}, m]'".format),
        "tensors of one shape": lambda n: _tensors(n, lambda _: "'float [n, m]'"),
        "arguments without a contract": lambda n: _ops([f"  - func: f({_joined(n, 'Tensor a{}'.format)}) -> ()\n"]),
        "numbers": lambda n: _one("", f"f(Tensor x, {_joined(n, 'int a{}=0'.format)}) -> Tensor"),
        "written arguments": lambda n: _ops([f"  - func: f({_joined(n, lambda i: f'Tensor(a{i}!) a{i}')}) -> ()\n"]),
        "results": lambda n: _ops(
            [
                f"  - func: f(Tensor x) -> ({_joined(n, 'Tensor r{}'.format)})\n",
                f"    tensors: {{x: 'float [n]', {_joined(n, lambda i: f'r{i}: float [n]')}}}\n".replace(
                    "float [n]}", "float32 [n]}"
                ),
            ]
        ),
        "dims": lambda n: _one("", "f(Tensor x, int k) -> Tensor").replace(
            "float [n]", f"float [{_joined(n, 'n{}'.format)}]"
        ),
        "a sum of sizes": lambda n: _one("", "f(Tensor x, int k) -> Tensor").replace(
            "x.dtype [n]", f"x.dtype [{_joined(n, lambda _: 'n', '+')}]"
        ),
        "dtypes": lambda n: _one("", "f(Tensor x, int k) -> Tensor").replace(
            "float [n]", f"{_joined(n, lambda i: 'float32' if i % 2 else 'int8', '|')} [n]"
        ),
        "conditions": lambda n: _one("    checks:\n" + _joined(n, "      - k > -{}\n".format, "")),
        "conditions of a name each": lambda n: _numbers(n, _joined(n, "      - k{} >= 0\n".format, "")),
        "conditions in a chain": lambda n: _numbers(n, _joined(n, lambda i: f"      - k{i} <= k{i + 1}\n", "")),
        "conditions that can't hold": lambda n: _one(
            "    checks:\n" + _joined(n, "      - k > {}\n".format, "") + "      - k < 0\n"
        ),
        "one long condition": lambda n: _numbers(n, f'      - "{_joined(n, "k{} >= 0".format, " and ")}"\n'),
        "optional tensors": lambda n: _of_each(n, "Tensor? a{}=None", "a{}: 'x.dtype [n]'"),
        "forms by a flag each": lambda n: _of_each(
            n, "Tensor a{0}, bool b{0}", "a{0}: 'float [n] if b{0} else float [1, n]'"
        ),
        "runs of dims": lambda n: _tensors(n, "'float [*b{}, m]'".format),
        "a choice of words": lambda n: _one(
            f'    checks: ["s in ({_joined(n, lambda i: repr(f"w{i}"))})"]\n', "f(Tensor x, str s) -> Tensor"
        ),
        "unknown keys": lambda n: _one(_joined(n, "    z{}: 1\n".format, "")),
        "a long doc": lambda n: _one("    doc: |\n" + "      Some words, `code` and more.\n" * n),
        "a long line of doc": lambda n: _one(f"    doc: {'word ' * n}end\n"),
        "quotes in a doc": lambda n: _one("    doc: '" + '"' * n + "'\n"),
        "blanks in a doc": lambda n: _one('    doc: "a' + "\\n " * n + 'b"\n'),
        "sums in a gradient": lambda n: _one(f"    autograd: {{x: {_joined(n, lambda _: 'grad', ' + ')}}}\n"),
        "backends": lambda n: _one(f"    dispatch: {{{_joined(n, 'K{}: cpp'.format)}}}\n"),
        "entries of an expression": lambda n: _one(
            f"    pointwise: {{{_joined(n, lambda i: f'v{i}: v{i - 1} + 1' if i else 'v0: x')}, return: v{n - 1}}}\n"
        ),
        "entries that double": lambda n: _one(
            f"    pointwise: {{{_joined(n, lambda i: f'v{i}: v{i - 1} * v{i - 1}' if i else 'v0: x')}, "
            f"return: v{n - 1}}}\n    autograd: derived\n"
        ),
        "derived forms": lambda n: _ops(
            f"  - func: f{i}(Tensor! out, Tensor x) -> ()\n    overwrites: [out]\n    autogen: [f{i}.functional]\n"
            "    tensors: {x: 'float [n]', out: 'x.dtype [n]'}\n"
            for i in range(n)
        ),
    },
    "cpp": {
        "definitions": lambda n: _in_block(_joined(n, '  m.def("f{}(Tensor x) -> Tensor");\n'.format, "")),
        "kernels": lambda n: (
            _joined(n, "Tensor f{}(const Tensor& x) {{ return x; }}\n".format, "")
            + "TORCH_LIBRARY_IMPL(a, CPU, m) {\n"
            + _joined(n, lambda i: f'  m.impl("f{i}", &f{i});\n', "")
            + "}\n"
        ),
        "the same op": lambda n: (
            _kernels(1) + _in_block('m.def("f(Tensor x) -> Tensor");' * n) + _impl('m.impl("f", &f0);' * n)
        ),
        "functions of one name": lambda n: (
            _kernels(n, "f") + _in_block('m.def("f(Tensor x) -> Tensor");') + _impl('m.impl("f", &f);\n' * n)
        ),
        "blocks of one namespace": lambda n: _joined(n, 'TORCH_LIBRARY(a, m) {{ m.def("f{}() -> ()"); }}\n'.format, ""),
        "blocks": lambda n: _joined(n, 'TORCH_LIBRARY_FRAGMENT(a{}, m) {{ m.def("f() -> ()"); }}\n'.format, ""),
        "chained macros": lambda n: (
            "#define D0(x) x\n"
            + "".join(f"#define D{i}(x) D{i - 1}(x)\n" for i in range(1, n))
            + _in_block(f'D{n - 1}(m.def("f() -> ()"));')
        ),
        "doubling macros": lambda n: (
            "#define D0(x) x x\n"
            + "".join(f"#define D{i}(x) D{i - 1}(x) D{i - 1}(x)\n" for i in range(1, n))
            + _in_block(f'D{n - 1}(m.def("f() -> ()");)')
        ),
        "doubling constants": lambda n: (
            'const std::string s0 = "f";\n'
            + _joined(n - 1, lambda i: f"const std::string s{i + 1} = s{i} + s{i};\n", "")
            + _in_block(f"m.def(s{n - 1});")
        ),
        "helpers of helpers": lambda n: (
            _joined(n, lambda i: f"void h{i}(torch::Library& m) {{ h{i + 1}(m); }}\n", "")
            + _joined(n, lambda i: f"TORCH_LIBRARY(a{i}, m) {{ h0(m); }}\n", "")
        ),
        "uses of a macro": lambda n: (
            "#define D(x) m.def(x);\n" + _in_block(_joined(n, 'D("f{}() -> ()")\n'.format, ""))
        ),
        "branches": lambda n: _in_block(_joined(n, lambda i: f'#if A{i}\nm.def("f{i}() -> ()");\n#endif', "\n")),
        "nested branches": lambda n: _in_block(
            _joined(n, "#if A{}\n".format, "") + 'm.def("f() -> ()");\n' + "#endif\n" * n
        ),
        "braces": lambda n: _in_block("{" * n + "}" * n),
        "open braces": lambda n: "TORCH_LIBRARY(a, m) {" * n,
        "nested blocks": lambda n: "TORCH_LIBRARY(a, m) {" * n + "}" * n,
        "nested heads": lambda n: "TORCH_LIBRARY(" * n + ")" * n,
        "nested calls": lambda n: _in_block("m.def(" * n + ")" * n + ";"),
        "nested helpers": lambda n: "void f(torch::Library& m) {" * n + "}" * n,
        "hashes in a line": lambda n: "x" + " #" * n + "\n" + _in_block(""),
        "parentheses": lambda n: _in_block(f'm.def({"(" * n}"f() -> ()"{")" * n});'),
        "parts of a text": lambda n: _in_block("m.def(" + '"a" ' * n + ");"),
        "comments": lambda n: "/* x */" * n + _in_block(""),
        "raw texts": lambda n: 'R"x(' * n + _in_block(""),
        "quotes": lambda n: '"' * n + _in_block(""),
        "joined lines": lambda n: "// a\\\n" * n + _in_block('m.def("f() -> ()");'),
        "namespaces": lambda n: "namespace a { " * n + _in_block('m.def("f() -> ()");') + "}" * n,
        "templates": lambda n: f"A{'<A' * n}{'>' * n} x;\n" + _in_block('m.def("f() -> ()");'),
        "lambdas": lambda n: _in_block(_joined(n, 'm.def("f{}() -> ()", [](Tensor x) {{ return x; }});\n'.format, "")),
        "arguments of a kernel": lambda n: (
            f"Tensor f({_joined(n, 'const Tensor& a{}'.format)}) {{ return a0; }}\n"
            + _in_block(f'm.def("f({_joined(n, "Tensor a{}".format)}) -> Tensor", &f);')
        ),
        "statements of a kernel": lambda n: _of_body("x.add_(1);\n" * n),
        "pointers of a kernel": lambda n: _of_body(
            _joined(n, "auto p{0} = x.data_ptr<float>(); p{0}[0] = 1;\n".format, "")
        ),
        "returns of a kernel": lambda n: _of_body("if (y) return x;\n" * n),
        "names of a kernel": lambda n: _of_body(
            "Tensor y0 = x;\n" + _joined(n, lambda i: f"Tensor y{i + 1} = y{i}.view(-1);\n", "")
        ),
        "functions that hand on a pointer": lambda n: (
            "Tensor f(Tensor x) { g0(x.data_ptr<float>()); return x; }\n"
            + _joined(n, lambda i: f"void g{i}(float* p) {{ g{i + 1}(p); g0(p); }}\n", "")
            + f"void g{n}(float* p) {{ *p = 1; }}\n"
            + _in_block('m.def("f(Tensor x) -> Tensor", &f);')
        ),
        "calls of functions of one name": lambda n: (
            f"Tensor f(Tensor x) {{ {'g(x.data_ptr<float>()); ' * n} return x; }}\n"
            + _joined(n, "void g(A{}* p) {{ *p = 1; }}\n".format, "")
            + _in_block('m.def("f(Tensor x) -> Tensor", &f);')
        ),
        "names of one pointer": lambda n: (
            "Tensor f(Tensor x) { float* p0 = x.data_ptr<float>();\n"
            + _joined(n, lambda i: f"float* p{i + 1} = p{i} + 1; *p{i} = 1;\n", "")
            + "return x; }\n"
            + _in_block('m.def("f(Tensor x) -> Tensor", &f);')
        ),
    },
    "python": {
        "definitions": lambda n: LIBRARY + _joined(n, "lib.define('f{}(Tensor x) -> Tensor')\n".format, ""),
        "custom ops": lambda n: (
            "import torch\nfrom torch.library import custom_op\n"
            + "".join(
                f"@custom_op('a::f{i}', mutates_args=())\ndef f{i}(x: torch.Tensor) -> torch.Tensor: return x\n"
                f"@f{i}.register_fake\ndef _(x): return x\n"
                for i in range(n)
            )
        ),
        "the same op": lambda n: LIBRARY + "lib.define('f(Tensor x) -> Tensor')\nlib.impl('f', g, 'CPU')\n" * n,
        "names and branches": lambda n: (
            LIBRARY
            + _joined(n, "x{0} = {0}\n".format, "")
            + _joined(n, "if A{0}:\n    lib.define('f{0}() -> ()')\n    x{0} = 1\n".format, "")
        ),
        "names and handlers": lambda n: (
            LIBRARY
            + _joined(n, "x{0} = {0}\n".format, "")
            + "try: pass\n"
            + _joined(n, "except A{0}: lib.define('f{0}() -> ()')\n".format, "")
        ),
        "names and cases": lambda n: (
            LIBRARY
            + _joined(n, "x{0} = {0}\n".format, "")
            + "match x0:\n"
            + _joined(n, "    case A.B{0}: x{0} = lib.define('f{0}() -> ()')\n".format, "")
        ),
        "names for type checkers": lambda n: (
            LIBRARY + _joined(n, "x{0} = {0}\nif TYPE_CHECKING:\n    y{0} = 1\n".format, "")
        ),
        "early ends": lambda n: LIBRARY + _joined(n, "if A{0}:\n    raise\nlib.define('f{0}() -> ()')\n".format, ""),
        "libraries": lambda n: (
            "import torch\n"
            + _joined(n, "l{0} = torch.library.Library('a{0}', 'DEF')\nl{0}.define('f() -> ()')\n".format, "")
        ),
        "libraries of a function": lambda n: (
            "import torch\ndef f():\n"
            + _joined(n, "    l = torch.library.Library('a{0}', 'DEF')\n    l.define('f() -> ()')\n".format, "")
        ),
        "lookups in a table": lambda n: (
            LIBRARY
            + f"t = {dict.fromkeys((f'k{i}' for i in range(n)), 'f() -> ()')}\n"
            + _joined(n, "lib.define(t['k{}'])\n".format, "")
        ),
        "a line beyond ASCII": lambda n: LIBRARY + f"x = [{_joined(n, lambda _: repr(chr(228)))}]\n",
        "parentheses": lambda n: LIBRARY + f"x = {'(' * n}1{')' * n}\n",
        "chained names": lambda n: (
            LIBRARY
            + "x0 = 'f() -> ()'\n"
            + "".join(f"x{i} = x{i - 1}\n" for i in range(1, n))
            + f"lib.define(x{n - 1})\n"
        ),
        "doubling texts": lambda n: (
            LIBRARY
            + "x0 = 'f'\n"
            + "".join(f"x{i} = x{i - 1} + x{i - 1}\n" for i in range(1, n))
            + f"lib.define(x{n - 1})\n"
        ),
        "nested loops": lambda n: (
            LIBRARY
            + "".join("    " * i + f"for a{i} in range(9):\n" for i in range(min(n, 18)))
            + "    " * min(n, 18)
            + "lib.define('f() -> ()')\n"
        ),
        "a loop": lambda n: LIBRARY + f"for n in {[f'f{i}' for i in range(n)]}:\n    lib.define(f'{{n}}() -> ()')\n",
        "a sum": lambda n: LIBRARY + f"lib.define({' + '.join(repr('a') for _ in range(n))})\n",
        "calls of a helper": lambda n: (
            LIBRARY + "def d(s): lib.define(s)\n" + _joined(n, "d('f{}() -> ()')\n".format, "")
        ),
        "chained helpers": lambda n: (
            LIBRARY
            + "def d0(s): lib.define(s)\n"
            + "".join(f"def d{i}(s): d{i - 1}(s)\n" for i in range(1, n))
            + f"d{n - 1}('f() -> ()')\n"
        ),
        "doubling helpers": lambda n: (
            LIBRARY
            + "def d0(s): lib.define(s)\n"
            + "".join(f"def d{i}(s):\n    d{i - 1}(s)\n    d{i - 1}(s)\n" for i in range(1, n))
            + f"d{n - 1}('f() -> ()')\n"
        ),
        "branches": lambda n: LIBRARY + _joined(n, "if A{0}:\n    lib.define('f{0}() -> ()')\n".format, ""),
        "elif": lambda n: (
            LIBRARY + "if A: pass\n" + _joined(n, "elif A{0}:\n    lib.define('f{0}() -> ()')\n".format, "")
        ),
        "branches of a fake": lambda n: (
            f"import torch\n@torch.library.custom_op('a::f', mutates_args=())\ndef f({_joined(n, 'a{}: torch.Tensor'.format)}):\n"
            + _joined(n, "    if a{0} is a0:\n        b{0} = a{0}.view(-1)\n".format, "")
        ),
        "attributes": lambda n: LIBRARY + "x" + ".a" * n + "\n",
        "arguments": lambda n: (
            "import torch\n@torch.library.custom_op('a::f', mutates_args=())\n"
            f"def f({_joined(n, 'a{}: torch.Tensor'.format)}) -> torch.Tensor: return a0\n"
        ),
    },
    "import_cpp": {
        "ops with kernels": lambda n: (
            _kernels(n)
            + _in_block(_joined(n, 'm.def("f{}(Tensor x) -> Tensor");\n'.format, ""))
            + _impl(_joined(n, 'm.impl("f{0}", &f{0});\n'.format, ""))
        ),
        "ops of a namespace each": lambda n: _joined(
            n, 'TORCH_LIBRARY(a{0}, m) {{ m.def("f{0}(Tensor x) -> Tensor"); }}\n'.format, ""
        ),
        "ops that can't be declared": lambda n: _in_block(
            _joined(n, 'm.def("f{}(Tensor(a) x) -> Tensor(a)");\n'.format, "")
        ),
        "schemas of one op": lambda n: _in_block(_joined(n, 'm.def("f(Tensor x, int a{}) -> Tensor");\n'.format, "")),
        "what can't be read": lambda n: _in_block(_joined(n, "m.def(s{});\n".format, "")),
        "a huge schema": lambda n: _in_block(f'm.def("f({_joined(n, "Tensor a{}".format)}) -> Tensor");'),
        "nested namespaces": lambda n: (
            "namespace a { " * n + _kernels(1) + _in_block('m.def("f0(Tensor x) -> Tensor", &f0);') + "}" * n
        ),
        "nested branches": lambda n: _in_block(
            "#if A\n" * 10 + _joined(n, '#if A{0}\nm.def("f{0}() -> ()");\n#endif\n'.format, "") + "#endif\n" * 10
        ),
    },
    "import_python": {
        "ops with kernels": lambda n: (
            "import torch\nfrom torch.library import custom_op\n"
            + _joined(
                n,
                "@custom_op('a::f{0}', mutates_args=())\ndef f{0}(x: torch.Tensor) -> torch.Tensor:\n    'Do.'\n    return x\n"
                "@f{0}.register_fake\ndef _(x): return x\n".format,
                "",
            )
        ),
        "libraries": lambda n: (
            "import torch\n"
            + _joined(
                n, "l{0} = torch.library.Library('a{0}', 'DEF')\nl{0}.define('f(Tensor x) -> Tensor')\n".format, ""
            )
        ),
        "what can't be read": lambda n: LIBRARY + _joined(n, "lib.define(s{})\n".format, ""),
        "a huge schema": lambda n: LIBRARY + f"lib.define('f({_joined(n, 'Tensor a{}'.format)}) -> Tensor')\n",
        "nested functions": lambda n: (
            LIBRARY
            + _joined(
                min(n, 90), lambda i: " " * i + f"def g{i}():\n" + " " * (i + 1) + f"lib.define('f{i}() -> ()')\n", ""
            )
            + "\n" * n
        ),
        "nested branches": lambda n: (
            LIBRARY
            + _joined(
                min(n, 90), lambda i: " " * i + f"if A{i}:\n" + " " * (i + 1) + f"lib.define('f{i}() -> ()')\n", ""
            )
            + "\n" * n
        ),
    },
}
"""By front end of ``front_ends.FRONT_ENDS`` and by what grows."""


def included(count: int) -> None:
    """A library of ``count`` files, each of one op."""
    files = {f"{i}.yaml": _ops([_op(i)]).encode() for i in range(count)}
    files["ops.yaml"] = f"{HEAD}include: [{', '.join(files)}]\n".encode()

    def read(path: Path, /) -> object:
        return decode_source(path.name, files[path.name])

    checked = check(Path("ops.yaml"), read, lambda path: path.name in files)
    assert checked.library is not None
    assert len(checked.library.ops) == count


def reader(front_end: str, what: str) -> Callable[[int], None]:
    """Return what reads an input of a given length."""
    if what == "includes":
        return included
    make = INPUTS[front_end][what]
    return lambda count: FRONT_ENDS[front_end](make(count))


def forget() -> None:
    """Empty what remembers texts that were read before; tables, which are remembered for good, stay."""
    for name, module in list(sys.modules.items()):
        for value in vars(module).values() if name.startswith("opgen.") else ():
            if hasattr(value, "cache_parameters") and value.cache_parameters()["maxsize"] is not None:
                value.cache_clear()


EVERY = [*((front_end, what) for front_end, inputs in INPUTS.items() for what in inputs), ("library", "includes")]
