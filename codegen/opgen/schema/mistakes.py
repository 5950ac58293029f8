r"""The table of messages for schemas that do not follow the grammar; its examples are also its tests.

A row has a message and broken schemas; these, and all schemas that stop the parser in the same way, get this message
(see syntax_errors.py). The idea is lark's ``GRAMMAR_ERRORS``.
"""

from __future__ import annotations

from opgen.diagnostics import Code
from opgen.records import dataclass
from opgen.schema.codes import RESERVED_WORD, SYNTAX, UNKNOWN_TYPE


@dataclass(frozen=True)
class Row:
    """One kind of mistake.

    ``message`` and ``help`` may name ``{found}``, the token that does not fit (``{word}`` without quotes);
    ``{before}``, the one before it; ``{name}``, the argument whose default it is in; ``{item}``, the argument or result
    so far; ``{type}``, a C++ or Python type with which that begins; ``{schema_type}``, the same in schema words.
    """

    examples: tuple[str, ...]
    message: str
    help: str
    code: Code = SYNTAX

    @property
    def is_type(self) -> bool:
        """Whether the whole type is the mistake, not the token that was found."""
        return self.code is UNKNOWN_TYPE


def _type(*examples: str, also: str = "") -> Row:
    return Row(examples, "'{type}' is no type of a schema", f"write {{schema_type}}{also}", UNKNOWN_TYPE)


IF_WRITTEN = ", or Tensor(a!) for a tensor that is written"
"""Added to the remedy for a tensor type: whether the tensor is written, only its author knows."""

ROWS = (
    # --- the name -----------------------------------------------------------------------------------------------------
    Row(
        ("", "(Tensor x) -> Tensor", "1f(Tensor x) -> Tensor", "::f(Tensor x) -> Tensor", '"f(Tensor x) -> Tensor"'),
        "expected the operator's name, found {found}",
        "write name(TYPE NAME, ...) -> TYPE",
    ),
    Row(
        (
            "f",
            "f -> Tensor",
            "f[Tensor x] -> Tensor",
            "f.out",
            "ns::f",
            "f-g(Tensor x) -> Tensor",
            "f=g(Tensor x) -> Tensor",
        ),
        "expected ( after the operator's name, found {found}",
        "write name(TYPE NAME, ...) -> TYPE",
    ),
    Row(
        ("Tensor f(Tensor x)", "void ns::f(Tensor x)"),
        "expected ( after the operator's name, found {found}",
        "the result stands at the end: name(TYPE NAME, ...) -> TYPE",
    ),
    Row(("ns:f() -> ()", "ns:(Tensor x) -> ()"), "expected a second colon, found {found}", "write NAMESPACE::NAME"),
    Row(
        ("a::b::f() -> ()",),
        "a name has one namespace at most, found a second '::'",
        "write NAMESPACE::NAME",
    ),
    Row(
        ("f.a.b() -> ()",),
        "a name has one overload at most, found a second '.'",
        "join them with an underscore",
    ),
    Row(
        ("f.() -> ()", "f.->()", "ns::() -> ()"),
        "expected a name after '{before}', found {found}",
        "write NAMESPACE::NAME.OVERLOAD",
    ),
    Row(
        ("f.2d(Tensor x) -> ()", "ns::f.2d(Tensor x) -> ()"),
        "an overload's name can't begin with a digit, found {found}",
        "put a letter or an underscore before it",
    ),
    # --- an argument's type and name
    # ------------------------------------------------------------------------------------
    _type(
        "f(List[int] x) -> ()",
        "f(Optional[Tensor] x) -> ()",
        "f(Tensor x) -> tuple[Tensor, Tensor]",
        "f(int[n] x) -> ()",
    ),
    _type("f(Dict[str, int] x) -> ()", "f(Union[int, str] x) -> ()", "f(Future[int] x) -> ()"),
    _type("f(at::Tensor x) -> ()", "f(x: Tensor) -> ()", "f(Tensor x) -> at::Tensor"),
    _type("f(vector<int> x) -> ()", "f(Tensor<int> x) -> ()", "f(Tensor x) -> vector<Tensor>"),
    _type(
        "f(Tensor& x) -> ()",
        "f(Tensor* x) -> ()",
        "f(int& x) -> ()",
        "f(int* x) -> ()",
        "f(int[]& x) -> ()",
        also=IF_WRITTEN,
    ),
    _type(
        "f(const at::Tensor& x) -> ()",
        "f(const Tensor& x) -> ()",
        "f(const Tensor* x) -> ()",
        "f(const vector<int> x) -> ()",
    ),
    _type("f(Tensor x) -> Tensor&", "f(Tensor x) -> Tensor*", "f(Tensor x) -> (Tensor&, Tensor)"),
    Row(
        (
            "f(Tensor) -> ()",
            "f(int[]) -> ()",
            "f(int, int y) -> ()",
            "f(Tensor",
            "f(Tensor=None) -> ()",
            "f(int=1) -> ()",
        ),
        "expected a name after the type '{item}', found {found}",
        "write TYPE NAME",
    ),
    Row(
        ("f(Tensor 1x) -> ()", 'f(str "x") -> ()', "f(Tensor ...x) -> ()", "f(int[2] 1x) -> ()", "f(int? 1) -> ()"),
        "expected a name after the type, found {found}",
        "a name has letters, digits and underscores, and begins with no digit",
    ),
    Row(
        (
            "if(Tensor x) -> ()",
            "f.in(Tensor x) -> ()",
            "f(Tensor in) -> ()",
            "f(int in) -> ()",
            "f(int? in) -> ()",
            "f(int[2] in) -> ()",
            "f(int[2]? in) -> ()",
            "f(Tensor None) -> ()",
            "f(int None) -> ()",
            "f(Tensor True) -> ()",
            "f(int True) -> ()",
            "f(in x) -> ()",
            "f(Tensor x, in y) -> ()",
            "f(Tensor x) -> in",
            "f(Tensor x) -> Tensor in",
            "f(Tensor x) -> int in",
            "f(Tensor x) -> (Tensor in)",
            "f(Tensor x) -> (int in)",
            "f(Tensor x) -> (Tensor? in)",
            "f(Tensor(in) x) -> ()",
            "f(Tensor(a|in) x) -> ()",
        ),
        "{found} is a reserved word of TorchScript and can't be a name",
        "rename it, for example to {word}_",
        RESERVED_WORD,
    ),
    Row(
        ("f(Tensor a!) -> ()",),
        "the mark of a write belongs to the type, found {found} after the name '{before}'",
        "write Tensor(a!) {before}",
    ),
    Row(
        ("f(Tensor a?) -> ()", "f(Tensor a[]) -> ()"),
        "{found} belongs to the type, found after the name '{before}'",
        "write Tensor? {before}, or Tensor[] {before}",
    ),
    Row(
        ("f(const Tensor x) -> ()", "f(Tensor x y) -> ()", "f(Tensor x Tensor y) -> ()"),
        "expected , or ) after the argument '{before}', found {found}",
        "an argument is TYPE NAME: a comma is missing, or a word is too much",
    ),
    Row(
        ("f(Tensor x.y) -> ()", "f(Tensor x-y) -> ()"),
        "expected , or ) after the argument '{before}', found {found}",
        "a name has letters, digits and underscores",
    ),
    Row(
        ("f(", "f(Tensor x", "f(Tensor x,", "f(Tensor x -> ()", "f(int x=1 -> ()", "f(int x=1", "f(*"),
        "the list of arguments is not closed, found {found}",
        "write ) before ->",
    ),
    Row(
        (
            "f(Tensor x,) -> ()",
            "f(Tensor x, int y,) -> ()",
            "f(Tensor x) -> (Tensor,)",
            "f((Tensor, int,) x) -> ()",
            "f(int[] x=[1,]) -> ()",
        ),
        "a trailing comma, found {found} after it",
        "remove the comma",
    ),
    Row(
        (
            "f(,Tensor x) -> ()",
            "f(Tensor x,,int y) -> ()",
            "f(Tensor x) -> (,Tensor)",
            "f(Tensor x) -> (Tensor,,Tensor)",
        ),
        "expected a type, found {found}",
        "remove the comma",
    ),
    Row(
        (
            "f(1) -> ()",
            'f("x") -> ()',
            "f(Tensor x, 1) -> ()",
            "f(!Tensor x) -> ()",
            "f([int] x) -> ()",
            "f(Tensor x, (1) y) -> ()",
        ),
        "expected a type, found {found}",
        "an argument is TYPE NAME",
    ),
    Row(
        ("f(Tensor x, /, Tensor y) -> ()", "f(/, Tensor y) -> ()"),
        "a schema has no '/', all positional arguments may be given by name",
        "remove it",
    ),
    Row(
        (
            "f(Tensor x, **kwargs) -> ()",
            "f(Tensor x, *args) -> ()",
            "f(*args) -> ()",
            "f(**kwargs) -> ()",
            "f(Tensor x, ...y) -> ()",
        ),
        "a schema has no variable arguments with a name, found {found}",
        "write * alone before keyword-only arguments",
    ),
    # --- brackets of types
    # ----------------------------------------------------------------------------------------------
    Row(
        ("f(int[-1] x) -> ()", "f(int[+1] x) -> ()", 'f(int["2"] x) -> ()'),
        "the size of a list is a number or nothing, found {found}",
        "write int[2], or int[]",
    ),
    Row(
        ("f(int[2) -> ()", "f(int[2,3] x) -> ()", "f(int[2 x) -> ()"),
        "expected ] after the size of a list, found {found}",
        "write TYPE[N]",
    ),
    Row(
        ("f(int[2][] x) -> ()", "f(int[2]?[] x) -> ()", "f(int[2]?? x) -> ()"),
        "a size must be the last part of a type, found {found} after it",
        "leave the number out, as in int[][]",
    ),
    Row(
        (
            "f(Tensor?(a) x) -> ()",
            "f(Tensor?! x) -> ()",
            "f(Tensor[]?(a) x) -> ()",
            "f(int[2]?(a) x) -> ()",
            "f(Tensor x) -> Tensor?!",
        ),
        "an alias annotation stands before the '?', found {found} after it",
        "write Tensor(a!)?",
    ),
    Row(
        ("f(__torch__.torch.classes.a.B! x) -> ()", "f((int, int)! x) -> ()"),
        "this type takes no alias annotation, found {found}",
        "remove it",
    ),
    Row(
        ("f(Tensor.dtype x) -> ()", "f(int[].x y) -> ()"),
        "expected a name after the type, found {found}",
        "a type of a schema has no attributes",
    ),
    Row(
        (
            "f((Tensor a, int b) x) -> ()",
            "f((Tensor, int b) x) -> ()",
            "f(Dict(str k, int) x) -> ()",
            "f(Dict(str, int v) x) -> ()",
        ),
        "the parts of a type have no names, found {found}",
        "write the types alone, as in (Tensor, int)",
    ),
    Row(
        ("f(Future x) -> ()", "f(Dict x) -> ()", "f(Union x) -> ()"),
        "expected the types that '{before}' is made of, found {found}",
        "write Future(T), Dict(K, V) or Union(A, B)",
    ),
    Row(
        ("f(Dict(str) x) -> ()", "f(Dict(str, int, int) x) -> ()"),
        "a Dict has two types, of keys and of values, found {found}",
        "write Dict(K, V)",
    ),
    Row(
        ("f(Future(int, int) x) -> ()", "f(Future() x) -> ()", "f(Union() x) -> ()"),
        "expected the types that this type is made of, found {found}",
        "write Future(T), or Union(A, B)",
    ),
    Row(
        ("f(__torch__ x) -> ()", "f(__torch__.torch.classes.a x) -> ()"),
        "expected the rest of a TorchBind class, found {found}",
        "write __torch__.torch.classes.NAMESPACE.CLASS",
    ),
    # --- alias annotations
    # ----------------------------------------------------------------------------------------------
    Row(
        ("f(Tensor() x) -> ()", "f(Tensor(!) x) -> ()", "f(Tensor(!a) x) -> ()", "f(Tensor(1) x) -> ()"),
        "expected the name of an alias set, found {found}",
        "write (a), or (a!) if it is written",
    ),
    Row(
        ("f(Tensor(a->) x) -> ()", "f(Tensor(a|) x) -> ()"),
        "expected the name of an alias set after {before}, found {found}",
        "write (a -> b), or (a|b)",
    ),
    Row(
        (
            "f(Tensor(a!!) x) -> ()",
            "f(Tensor(a!|b) x) -> ()",
            "f(Tensor(a -> b!) x) -> ()",
            "f(Tensor(a -> b -> c) x) -> ()",
        ),
        "an alias annotation has one '!', after the sets and before '->', found {found}",
        "write (a!), (a|b!) or (a! -> b)",
    ),
    Row(
        ("f(Tensor(a,b) x) -> ()", "f(Tensor(a b) x) -> ()", "f(Tensor(a::b) x) -> ()", "f(Tensor(a! x) -> ()"),
        "expected ) after the alias sets, found {found}",
        "separate sets by |, as in (a|b)",
    ),
    Row(("f(Tensor(*|a) x) -> ()",), "no name can follow the '*' of an alias annotation, found {found}", "write (a|*)"),
    # --- defaults
    # -------------------------------------------------------------------------------------------------------
    Row(
        ("f(int x=) -> ()", "f(int x=, int y) -> ()", "f(int x="),
        "expected a default for '{name}', found {found}",
        "remove the =, or write a value after it",
    ),
    Row(
        ("f(int x=+1) -> ()", "f(int x=--1) -> ()", "f(int x=-inf) -> ()", "f(int x=-) -> ()"),
        "expected a number as the default of '{name}', found {found}",
        "write a number with at most one minus; there is no infinity and no nan",
    ),
    Row(
        (
            "f(int[] x=(1,2)) -> ()",
            "f(int[] x={1,2}) -> ()",
            "f(int[] x=[[1]]) -> ()",
            "f(int x=*) -> ()",
            "f(int x=in) -> ()",
        ),
        "the default of '{name}' is no constant, found {found}",
        "write a number, a text, True, False, None, or a list of these such as [1, 2]",
    ),
    Row(
        ("f(float x=1.0f) -> ()", "f(int x=1_000) -> ()", "f(int x=10L) -> ()"),
        "the default of '{name}' is no number, found '{before}{word}'",
        "a number has no suffix and no underscore: write {before}",
    ),
    Row(
        ("f(bool x=Fa=False) -> ()", "f(bool x=True=False) -> ()", "f(int x=1=2) -> ()", 'f(str x="a"=1) -> ()'),
        "the default of '{name}' has two equal signs, found {found}",
        "write one value",
    ),
    Row(
        ("f(ScalarType x=torch.float32) -> ()", "f(ScalarType x=at::kFloat) -> ()"),
        "the default of '{name}' is no plain name, found {found} after {before}",
        "write the dtype alone, such as float32",
    ),
    Row(
        (
            "f(int x=1+1) -> ()",
            "f(int x=1*2) -> ()",
            "f(float x=1/2) -> ()",
            "f(int x=f(1)) -> ()",
            "f(Tensor? x=None?) -> ()",
        ),
        "the default of '{name}' is no constant, found {found} after {before}",
        "write one value, not an expression",
    ),
    Row(
        (
            'f(str x="a" "b") -> ()',
            'f(str x=b"a") -> ()',
            "f(int x=1 int y) -> ()",
            "f(int x=None int y) -> ()",
            "f(int x=a b) -> ()",
            'f(str x="a" b) -> ()',
        ),
        "expected , or ) after the default of '{name}', found {found}",
        "a comma is missing, or the default is more than one constant",
    ),
    Row(
        ("f(int[] x=[1) -> ()", "f(int[] x=[1 2]) -> ()", "f(int[] x=[) -> ()", "f(int[] x=[1"),
        "the list in the default of '{name}' is not closed, found {found}",
        "write [1, 2]",
    ),
    # --- the arrow and the result
    # ---------------------------------------------------------------------------------------
    Row(
        (
            "f(Tensor x)",
            "f(Tensor x)\n",
            "f(Tensor x) Tensor",
            "f(Tensor x): Tensor",
            "f(Tensor x) = Tensor",
            "f(Tensor x) (Tensor)",
        ),
        "expected -> after the arguments, found {found}",
        "write -> and the type of the result, or -> () for none",
    ),
    Row(
        ("f(Tensor x) - > Tensor",), "expected -> after the arguments, found {found}", "write -> without a blank inside"
    ),
    Row(("f(Tensor x)) -> ()",), "expected -> after the arguments, found {found}", "remove the bracket"),
    Row(
        ("f(Tensor x)\n -> Tensor", "f(Tensor x) ->\n Tensor", "f(Tensor x) ->\nTensor"),
        "a schema can't be broken at this place, found {found}",
        "break lines only inside brackets",
    ),
    Row(
        ("f(Tensor x) ->", "f(Tensor x) -> -> Tensor", "f(Tensor x) -> 1", "f(Tensor x) -> *"),
        "expected the type of the result after ->, found {found}",
        "write -> TYPE, or -> () for no result",
    ),
    Row(
        ("f(Tensor x) -> [Tensor]", "f(Tensor x) -> {Tensor}"),
        "expected the type of the result after ->, found {found}",
        "write -> Tensor[] for a list, -> (Tensor, Tensor) for several results",
    ),
    Row(
        (
            "f(Tensor x) -> (Tensor",
            "f(Tensor x) -> (Tensor, int",
            "f(Tensor x) -> (Tensor x",
            "f(Tensor x) -> (",
            "f(Tensor x) -> (Tensor,",
        ),
        "the list of results is not closed, found {found}",
        "write ) at the end",
    ),
    Row(
        (
            "f(Tensor x) -> Tensor y=1",
            "f(Tensor x) -> (Tensor y=1)",
            "f(Tensor x) -> Tensor=1",
            "f(Tensor x) -> (Tensor=1)",
        ),
        "a result can't have a default, found {found}",
        "remove it",
    ),
    Row(
        ("f(Tensor x) -> Tensor, Tensor", "f(Tensor x) -> Tensor y, Tensor z"),
        "several results stand in brackets, found {found}",
        "write -> (Tensor, Tensor)",
    ),
    Row(
        ("f(Tensor x) -> (Tensor, Tensor)[]", "f(Tensor x) -> (Tensor, Tensor)?", "f(Tensor x) -> (Tensor, Tensor) x"),
        "a bracket after -> opens the list of results and nothing can follow it, found {found}",
        "write -> ((Tensor, Tensor)[]) for a list of tuples",
    ),
    Row(
        ("f(Tensor x) -> Tensor y z", "f(Tensor x) -> ().", "f(Tensor x) -> Tensor y.z"),
        "expected the end of the schema, found {found}",
        "remove what follows the result",
    ),
    Row(
        ("f(Tensor x) -> (Tensor y z)", "f(Tensor x) -> (Tensor y.z)", "f(Tensor x) -> (Tensor y: int)"),
        "expected , or ) after the result '{before}', found {found}",
        "a result is TYPE or TYPE NAME",
    ),
    Row(
        ("f(Tensor x) -> Tensor\ng(Tensor x) -> Tensor",),
        "expected the end of the schema, found {found}",
        "give one schema at a time",
    ),
    Row(
        ("f(Tensor x) -> () # type: int", "f(Tensor x, # type: int\n int y) -> ()", "f(Tensor x # type: int\n) -> ()"),
        "a comment can't begin with '# type:'",
        "remove it, or leave out the blank",
    ),
)
