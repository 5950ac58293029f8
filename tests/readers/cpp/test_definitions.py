import pytest


def in_block(statement, head="TORCH_LIBRARY(lib, m)"):
    return f"{head} {{\n  {statement}\n}}\n"


@pytest.mark.parametrize(
    ("statement", "schema"),
    [
        ('m.def("f(Tensor x) -> Tensor");', "f(Tensor x) -> Tensor"),
        ('m.def("f(Tensor x)"\n      " -> Tensor");', "f(Tensor x) -> Tensor"),
        ('m.def("f(Tensor x)" /* the result: */ " -> Tensor");', "f(Tensor x) -> Tensor"),
        ('m.def(R"(f(Tensor x)\n -> Tensor)");', "f(Tensor x)\n -> Tensor"),
        ('m.def(R"--(f(str s=")") -> ())--");', 'f(str s=")") -> ()'),
        (r'm.def("f(str s=\"a\\b\") -> ()");', r'f(str s="a\b") -> ()'),
        ('m.def("f(Tensor x) \\\n-> Tensor");', "f(Tensor x) -> Tensor"),
        ('m.def("f(Tensor x) -> Tensor", {at::Tag::pt2_compliant_tag}, &g);', "f(Tensor x) -> Tensor"),
        (
            'm.def(torch::schema("f(Tensor x) -> Tensor", c10::AliasAnalysisKind::FROM_SCHEMA));',
            "f(Tensor x) -> Tensor",
        ),
        ('m.def(TORCH_SELECTIVE_SCHEMA("lib::f(Tensor x) -> Tensor"));', "lib::f(Tensor x) -> Tensor"),
        ('m.def(std::string("f(Tensor x)") + " -> Tensor");', "f(Tensor x) -> Tensor"),
        ('if (enabled()) { m.def("f(Tensor x) -> Tensor"); }', "f(Tensor x) -> Tensor"),
        ('m .\n  def ( "f() -> ()" ) ;', "f() -> ()"),
    ],
)
def test_a_schema_is_read_however_its_text_is_written(read, statement, schema):
    found = read(in_block(statement))
    assert [definition.schema.value for definition in found.definitions] == [schema]
    assert not found.unread


@pytest.mark.parametrize(
    "statement",
    [
        '// m.def("f() -> ()");',
        '/* m.def("f() -> ()"); */',
        '// \\\n m.def("f() -> ()");',
        'const char* text = "m.def(\\"f() -> ()\\")";',
        'const char* text = R"(m.def("f() -> ()"))";',
        'other.def("f() -> ()");',
        'm.class_<Stack>("Stack").def(torch::init<>()).def("push(Stack self) -> ()", &push);',
        '#if 0\nm.def("f() -> ()");\n#endif',
        '#define LATER m.def("f() -> ()");',
    ],
)
def test_what_only_looks_like_a_definition_is_none(read, statement):
    found = read(in_block(statement))
    assert not found.definitions
    assert not found.unread


@pytest.mark.parametrize(
    ("head", "namespace", "abi"),
    [
        ("TORCH_LIBRARY(lib, m)", "lib", "classic"),
        ("TORCH_LIBRARY_FRAGMENT(lib, m)", "lib", "classic"),
        ("STABLE_TORCH_LIBRARY(lib, m)", "lib", "stable"),
        ("STABLE_TORCH_LIBRARY_FRAGMENT(lib, m)", "lib", "stable"),
        ("TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m)", "_C", "classic"),
        ("TORCH_LIBRARY_EXPAND(CONCAT(TORCH_EXTENSION_NAME, _cache), m)", "_C_cache", "classic"),
        ("TORCH_LIBRARY_EXPAND(UNKNOWN, m)", "UNKNOWN", "classic"),
        ("static int x = 0; TORCH_LIBRARY(\n  lib,\n  m)", "lib", "classic"),
    ],
)
def test_a_block_names_its_namespace_and_abi(read, head, namespace, abi):
    found = read(in_block('m.def("f() -> ()");', head), TORCH_EXTENSION_NAME="_C")
    (definition,) = found.definitions
    assert (definition.namespace, definition.abi) == (namespace, abi)


def test_definitions_may_be_chained(read):
    found = read(in_block('m.def("f() -> ()", {at::Tag::inplace}).def("g() -> ()");'))
    assert [definition.schema.value for definition in found.definitions] == ["f() -> ()", "g() -> ()"]


@pytest.mark.parametrize(
    ("argument", "tags"),
    [
        ("{at::Tag::inplace}", ["inplace"]),
        ("{at::Tag::out, torch::Tag::pt2_compliant_tag}", ["out", "pt2_compliant_tag"]),
        ("std::vector<at::Tag>{at::Tag::out}", ["out"]),
        ("kTags", ["core", "pointwise"]),
        ("PT2", ["pt2_compliant_tag"]),
        ("{}", []),
    ],
)
def test_tags_are_read_from_lists_constants_and_macros(read, argument, tags):
    head = "#define PT2 {at::Tag::pt2_compliant_tag}\nstatic const std::vector<at::Tag> kTags = {at::Tag::core, at::Tag::pointwise};\n"
    (definition,) = read(head + in_block(f'm.def("f(Tensor x) -> Tensor", {argument}, &g);')).definitions
    assert [tag.value for tag in definition.tags] == tags
    assert definition.function.name == "g"


@pytest.mark.parametrize(
    "constant",
    [
        'static const char* kSchema = "f(Tensor x) " "-> ()";',
        'constexpr auto kSchema = R"(f(Tensor x) -> ())";',
        'constexpr char kSchema[] = "f(Tensor x) -> ()";',
        'const std::string kSchema{"f(Tensor x) -> ()"};',
        '#define kSchema "f(Tensor x) -> ()"',
    ],
)
def test_a_constant_is_looked_up(read, constant):
    found = read(f"{constant}\n" + in_block("m.def(kSchema);"))
    assert [definition.schema.value for definition in found.definitions] == ["f(Tensor x) -> ()"]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("m.def(schema);", "the schema is not a literal: schema"),
        ("m.def(make());", "the schema is not a literal: make()"),
        ('m.def(prefix + "f() -> ()");', "the schema is not a literal"),
        ("m.def();", "the schema is missing"),
        ("m.impl(name, &f);", "the name of the op is not a literal: name"),
        ('m.impl("f", key, &f);', "the dispatch key is not a literal: key"),
        ('m.impl("f");', "the function is missing"),
        ('m.def("f() -> ()"', "never closed"),
        ('static auto r = torch::RegisterOperators().op("lib::f", &f);', "old interface"),
    ],
)
def test_what_is_known_only_at_run_time_is_unread_with_a_reason(read, statement, reason):
    found = read(in_block(statement))
    assert not found.definitions
    assert not found.implementations
    assert [reason in unread.reason for unread in found.unread] == [True]
    assert found.unread[0].location.start.line == 2


def test_a_library_macro_without_a_block_is_unread(read):
    assert [unread.reason for unread in read("TORCH_LIBRARY(lib, m);\n").unread] == [
        "no block that could be read follows"
    ]


@pytest.mark.parametrize(
    ("signature", "schema"),
    [
        ("at::Tensor f(const at::Tensor& x, int64_t n)", "f(Tensor _0, int _1) -> Tensor _0"),
        ("void f(at::Tensor& x, std::optional<double> y)", "f(Tensor _0, float? _1) -> ()"),
        ("std::tuple<at::Tensor, std::vector<int64_t>> f(bool b)", "f(bool _0) -> (Tensor _0, int[] _1)"),
        (
            "at::Tensor f(std::string_view s, at::IntArrayRef n, c10::SymInt m)",
            "f(str _0, int[] _1, SymInt _2) -> Tensor _0",
        ),
        ("auto f(at::TensorList xs) -> at::Scalar", "f(Tensor[] _0) -> Scalar _0"),
        ("fptr_t f(c10::Dict<std::string, at::Tensor> d)", "f(Dict(str, Tensor) _0) -> int _0"),
        ("void f()", "f() -> ()"),
    ],
)
def test_a_mere_name_takes_its_schema_from_the_signature(read, signature, schema):
    found = read(f"using fptr_t = int64_t;\n{signature} {{ }}\n" + in_block('m.def("f", &f);'))
    (definition,) = found.definitions
    assert definition.schema.value == schema
    assert definition.is_name_only
    assert definition.inferred
    assert definition.schema.locate().start.line == 2
    assert definition.location.start.line == 4


def test_a_mere_name_without_a_known_signature_stays_a_name(read):
    (definition,) = read("void f(Strange x) {}\n" + in_block('m.def("f", &f);')).definitions
    assert (definition.schema.value, definition.is_name_only, definition.inferred) == ("f", True, False)


def test_a_lambda_can_be_a_definitions_function(read):
    found = read(in_block('m.def("f", [](const at::Tensor& x, double y) -> at::Tensor { return x * y; });'))
    (definition,) = found.definitions
    assert definition.schema.value == "f(Tensor _0, float _1) -> Tensor _0"
    assert definition.function.name == ""


def test_a_function_for_one_key_at_the_definition_is_an_implementation(read):
    found = read(in_block('m.def("f.o(Tensor x) -> Tensor", torch::dispatch(c10::kCPU, TORCH_FN(f_cpu)));'))
    assert found.definitions[0].function is None
    (implementation,) = found.implementations
    assert (implementation.op.value, implementation.keys, implementation.function.name) == (
        "lib::f.o",
        ("CPU",),
        "f_cpu",
    )


def test_the_module_of_fakes_is_read(read):
    found = read(in_block('m.set_python_module("lib.fakes");\n  m.impl_abstract_pystub("lib.more", "//lib:fakes");'))
    assert [(one.namespace, one.module.value) for one in found.python_modules] == [
        ("lib", "lib.fakes"),
        ("lib", "lib.more"),
    ]


def test_a_function_that_is_given_a_library_registers_for_its_callers(read):
    found = read(
        'void inner(torch::Library& l) { l.def("f() -> ()"); }\n'
        "void outer(int n, torch::Library& lib) { inner(lib); }\n"
        "TORCH_LIBRARY(a, m) { outer(1, m); }\nTORCH_LIBRARY(b, m) { inner(m); }\n"
        'void lost(torch::Library& m) { m.def("g() -> ()"); }\n'
    )
    assert [(one.namespace, one.schema.value) for one in found.definitions] == [("a", "f() -> ()"), ("b", "f() -> ()")]
    assert [unread.reason for unread in found.unread] == ["which library lost is given is not known"]


@pytest.mark.parametrize(
    "statements",
    [
        'auto& lib = m;\n  lib.def("f() -> ()");',
        'torch::Library& lib = m;\n  auto&& other = lib;\n  other.def("f() -> ()");',
        'auto* lib = &m;\n  lib->def("f() -> ()");',
        'auto& lib{static_cast<torch::Library&>(m)};\n  lib.def("f() -> ()");',
        'static_cast<torch::Library&>(m).def("f() -> ()");',
        "auto& lib = m;\n  inner(lib);",
    ],
)
def test_what_refers_to_the_library_registers_too(read, statements):
    found = read('void inner(torch::Library& l) { l.def("f() -> ()"); }\n' + in_block(statements))
    assert [(one.namespace, one.schema.value) for one in found.definitions] == [("lib", "f() -> ()")]


def test_a_reference_to_something_else_is_no_library(read):
    assert read(in_block('auto& lib = other;\n  lib.def("f() -> ()");\n  make(m).def("g() -> ()");')).definitions == ()


def test_a_template_that_is_given_a_library_registers_for_its_callers(read):
    found = read(
        'template <typename Lib>\nstatic void ops(Lib& l) { l.def("f() -> ()"); }\n'
        'template <class Module> void bind(Module& m) { m.def("g", &g); }\n'
        + in_block("ops(m);").replace("TORCH_LIBRARY", "STABLE_TORCH_LIBRARY")
    )
    assert [(one.namespace, one.schema.value, one.abi) for one in found.definitions] == [("lib", "f() -> ()", "stable")]
    assert found.unread == ()


def test_blocks_are_listed(read):
    found = read(
        "#define OPS(m) TORCH_LIBRARY(made, m)\nTORCH_LIBRARY(lib, m) {}\n  TORCH_LIBRARY_FRAGMENT(lib, m) {}\n"
        "#ifdef A\nSTABLE_TORCH_LIBRARY_IMPL(lib, CPU, m) {}\n#else\n#endif\nOPS(m) {}\n"
    )
    assert [
        (one.namespace, one.kind, one.key, one.abi, one.location.start, len(one.conditions)) for one in found.blocks
    ] == [
        ("lib", "library", None, "classic", (2, 1), 0),
        ("lib", "fragment", None, "classic", (3, 3), 0),
        ("lib", "impl", "CPU", "stable", (5, 1), 1),
        ("made", "library", None, "classic", (8, 1), 0),
    ]


def test_of_constants_of_one_name_the_last_before_the_statement_counts(read):
    found = read(
        'TORCH_LIBRARY(lib, m) {\n  { const char* s = "f() -> ()"; m.def(s); }\n'
        '  { const char* s = "g() -> ()"; m.def(s); }\n  { const char* s = "h() -> ()"; }\n}\n'
    )
    assert [definition.schema.value for definition in found.definitions] == ["f() -> ()", "g() -> ()"]
