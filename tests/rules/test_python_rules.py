"""Rules over Python sources: other faces of the mistakes on their pages, and what they must leave alone."""

import pytest

from opgen.diagnostics import Severity
from opgen.readers.python import read_python
from opgen.rules.registrations.registry import judge_registrations
from opgen.source import Source

HEAD = "import torch\n\n\n"


def found(text):
    """Return the findings of a source that are no hints, as ``name:line``."""
    registrations = read_python([Source("mylib/ops.py", text)])
    findings = judge_registrations(registrations)
    return [
        f"{one.code.name}:{one.location.start.line}"
        for one in findings
        if one.severity is not Severity.INFO and one.code.name != "fake-missing"
    ]


def op(body, signature="(x: torch.Tensor, out: torch.Tensor, n: int) -> torch.Tensor", mutates="()"):
    """Return a module with one op, whose decorator stands in line 4 and whose body begins in line 6."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f'{HEAD}@torch.library.custom_op("mylib::op", mutates_args={mutates})\ndef op{signature}:\n{lines}\n'


@pytest.mark.parametrize(
    "body",
    [
        "out += x\nreturn x.sum()",
        "out[n] = 1\nreturn x.sum()",
        "out[0, :n] *= 2\nreturn x.sum()",
        "torch.add(x, x, out=out)\nreturn x.sum()",
        "out.data.copy_(x)\nreturn x.sum()",
        "out.view(-1)[:n].zero_()\nreturn x.sum()",
        "row = out[0]\nrow.fill_(1)\nreturn x.sum()",
        "if n > 2:\n    out.zero_()\nreturn x.sum()",
        "with torch.no_grad():\n    out.zero_()\nreturn x.sum()",
        "for row in out.unbind():\n    row.zero_()\nreturn x.sum()",
        "try:\n    out.zero_()\nexcept RuntimeError:\n    pass\nreturn x.sum()",
    ],
)
def test_a_write_is_found_in_every_spelling(body):
    assert found(op(body)) == ["undeclared-write:4"]


@pytest.mark.parametrize(
    "body",
    [
        "out = out.clone()\nout.add_(1)\nreturn out",
        "copied = out * 2\ncopied.zero_()\nreturn copied",
        "out.requires_grad_()\nreturn x * 2",
        "n += 1\nreturn x * n",
        "def inner(out):\n    out.zero_()\nreturn x * 2",
        "out[x > 0].zero_()\nreturn x * 2",
        "kernel(x, out)\nreturn x * 2",
        "return torch.add(x, out)",
        "return x[x > 0]",
        "return x[[0, 1]]",
        "return x.contiguous() + 1",
    ],
)
def test_what_is_no_write_and_no_view_is_left_alone(body):
    assert found(op(body)) == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("return x", 6),
        ("return x.view(-1)", 6),
        ("return x.T[None, ..., -1]", 6),
        ("return torch.transpose(x, 0, 1)", 6),
        ("result = x.expand(2, n)\nreturn result", 7),
        ("if n:\n    return x * 2\nreturn x", 8),
        ("return x if n else x * 2", 6),
        ("if n:\n    x = x * 2\nreturn x", 8),
    ],
)
def test_a_returned_argument_is_found_where_it_is_returned(body, line):
    assert found(op(body)) == [f"returned-argument:{line}"]


def test_an_out_tensor_that_the_schema_returns_may_be_returned():
    text = (
        f'{HEAD}LIBRARY = torch.library.Library("mylib", "DEF")\n'
        'LIBRARY.define("op.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", tags=torch.Tag.out)\n'
        "def op(x, *, out):\n    return torch.mul(x, 2, out=out)\n"
        'LIBRARY.impl("op.out", op, "CPU")\n'
    )
    assert found(text) == []


def fake(schema, parameters):
    """Return a module with a schema in line 5 and a fake in line 7."""
    return (
        f'{HEAD}LIBRARY = torch.library.Library("mylib", "DEF")\nLIBRARY.define("op{schema} -> Tensor")\n'
        f'@torch.library.register_fake("mylib::op")\ndef _({parameters}):\n    return x.new_empty(x.shape)\n'
    )


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        ("(Tensor x, int n)", "x"),
        ("(Tensor x, *, int n)", "x"),
        ("(Tensor x, *, int n)", "x, m"),
        ("(Tensor x)", "x, *, n"),
        ("(Tensor x, int n=1)", "x, n"),
        ("(Tensor x, *, int n=1)", "x, *, n"),
        ("(Tensor x, int n=1)", "x, n=2"),
        ("(Tensor x, str mode='mean')", "x, mode='sum'"),
        ("(Tensor x, int[2] steps=[1, 2])", "x, steps=(2, 2)"),
        ("(Tensor x, bool flag=False)", "x, flag=None"),
        ("(Tensor x, int n, int m)", "x, m, n"),
        ("(Tensor x, int n)", "x, *, n"),
    ],
)
def test_a_fake_that_can_not_take_the_arguments_is_found(schema, parameters):
    assert set(found(fake(schema, parameters))) == {"python-signature:7"}


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        ("(Tensor x, int n)", "x, m"),
        ("(Tensor x, int n)", "x, *rest"),
        ("(Tensor x, *, int n)", "x, **rest"),
        ("(Tensor x, *, int n)", "x, n"),
        ("(Tensor x, int n)", "x, n=1"),
        ("(Tensor x, int n)", "x, n, more=None"),
        ("(Tensor x, int[2] steps=[1, 1])", "x, steps=(1, 1)"),
        ("(Tensor x, int[2] steps=1)", "x, steps=(1, 1)"),
        ("(Tensor x, float eps=1e-5)", "x, eps=0.00001"),
        ("(Tensor x, ScalarType dtype=float)", "x, dtype=torch.float32"),
        ("(Tensor x, int n=1)", "x, n=DEFAULT"),
    ],
)
def test_a_fake_that_takes_the_arguments_is_left_alone(schema, parameters):
    assert found(fake(schema, parameters)) == []


def formula(lines, signature="(x: torch.Tensor, n: int) -> torch.Tensor", setup=", setup_context=setup"):
    """Return a module with a formula whose body begins in line 12."""
    body = "\n".join(f"    {line}" for line in lines.splitlines())
    return (
        f'{HEAD}@torch.library.custom_op("mylib::op", mutates_args=())\ndef op{signature}:\n    return x * 2\n'
        f"def setup(ctx, inputs, output):\n    ctx.n = inputs[1]\n\n\n"
        f"def backward(ctx, gradient):\n{body}\nop.register_autograd(backward{setup})\n"
    )


@pytest.mark.parametrize("lines", ["return gradient", "return None", "return gradient * 2", "return (gradient,)"])
def test_too_few_gradients_are_found(lines):
    assert found(formula(lines)) == ["gradient-count:12"]


@pytest.mark.parametrize(
    "lines",
    [
        "return gradient * ctx.n, None",
        "return helper(gradient)",
        "return torch.ops.mylib.op_bwd(gradient)",
        "return (gradient, *(None,))",
        "gradients = [gradient]\nreturn tuple(gradients)",
    ],
)
def test_gradients_that_fit_or_can_not_be_counted_are_left_alone(lines):
    assert found(formula(lines)) == []


def test_a_formula_takes_one_gradient_for_each_result():
    signature = "(x: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]"
    assert found(formula("return gradient, None", signature)) == ["gradient-count:11"]


def test_a_context_that_nobody_fills_is_found():
    assert found(formula("return gradient * ctx.n, None", setup="")) == ["missing-setup-context:11"]
    assert found(formula("return gradient if ctx.needs_input_grad[0] else None, None", setup="")) == []


def test_the_names_of_setup_context_count():
    text = formula("return gradient, None").replace("(ctx, inputs, output)", "(context, inputs, result)")
    assert found(text) == ["setup-context-signature:7"]
    text = formula("return gradient, None").replace("(ctx, inputs, output)", "(ctx, **values)")
    assert found(text) == []


@pytest.mark.parametrize("name", ["op", "otherlib::op", "mylib_ab::op", "mylib::op.out"])
def test_a_fake_of_an_op_that_nobody_defines_is_found_if_one_is_meant(name):
    text = fake("(Tensor x)", "x").replace('fake("mylib::op")', f'fake("{name}")')
    expected = [] if name == "otherlib::op" else ["undefined-op:6"]  # another library may define it
    assert found(text) == expected


def test_a_second_fake_is_found_unless_it_is_in_another_branch():
    second = '@torch.library.register_fake("mylib::op")\ndef _(x):\n    return x.new_empty(x.shape)\n'
    assert found(fake("(Tensor x)", "x") + second) == ["fake-owners:9"]
    branch = "".join(f"    {line}\n" for line in second.splitlines())
    both = f"if torch.cuda.is_available():\n{branch}else:\n{branch}"
    head = fake("(Tensor x)", "x").partition("@torch")[0]
    assert found(head + both) == []
    early = f"def register():\n    if torch.cuda.is_available():\n{{}}        return\n{branch}register()\n"
    deeper = "".join(f"        {line}\n" for line in second.splitlines())
    assert found(head + early.format(deeper)) == []
    assert found(head + early.format(deeper).replace("        return\n", "")) == ["fake-owners:11"]


def pair(rest=""):
    """Return a module with a forward and a backward op, the latter in line 6."""
    return (
        f'{HEAD}LIBRARY = torch.library.Library("mylib", "DEF")\n'
        'LIBRARY.define("norm(Tensor x) -> Tensor")\nLIBRARY.define("norm_bwd(Tensor gradient, Tensor x) -> Tensor")\n'
        f"{rest}"
    )


def test_a_backward_op_that_an_autograd_function_calls_is_connected():
    function = (
        "class Norm(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def backward(ctx, gradient):\n"
        "        return {}(gradient, *ctx.saved_tensors)\n"
    )
    assert found(pair()) == ["unconnected-backward:6"]
    assert found(pair(function.format("torch.ops.mylib.norm_bwd"))) == []
    assert found(pair(function.format("something_else"))) == ["unconnected-backward:6"]


def test_an_autograd_kernel_of_the_only_backend_is_left_alone():
    kernels = 'LIBRARY.impl("norm", lambda x: x + 1, "{}")\nLIBRARY.impl("norm", lambda x: x + 1, "AutogradCUDA")\n'
    text = pair(kernels).replace('LIBRARY.define("norm_bwd(Tensor gradient, Tensor x) -> Tensor")\n', "")
    assert found(text.format("CUDA")) == []
    assert found(text.format("CPU")) == ["autograd-of-one-backend:7"]


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("print(out.shape)\nreturn x * 2", True),
        ("return torch.add(x, out)", True),
        ("return x.add(out)", True),
        ("out.add_(x)\nreturn x * 2", False),
        ("kernel(x, out)\nreturn x * 2", False),
        ("kernel[(1,)](x, out)\nreturn x * 2", False),
        ("backend.run(x, out)\nreturn x * 2", False),
        ("torch.ops.mylib.other(x, out)\nreturn x * 2", False),
        ("flat = out.reshape(-1)\nkernel(x, flat)\nreturn x * 2", False),
        ("out.numpy()[0] = 1\nreturn x * 2", False),
        ("def inner():\n    out.add_(x)\ninner()\nreturn x * 2", False),
        ("out = out.contiguous()\nkernel(out)\nreturn x * 2", False),
        ("out.reshape(-1).zero_()\nreturn x * 2", False),
        ("flat = out.flatten()\nflat[0] = 1\nreturn x * 2", False),
        ("flat = out.flatten()\nflat += 1\nreturn x * 2", False),
        ("torch.add(x, x, out=out.reshape(-1))\nreturn x * 2", False),
    ],
)
def test_an_argument_that_is_only_read_is_found_if_no_other_code_may_write_it(body, is_found):
    assert found(op(body, mutates='("out",)')) == ["unwritten-argument:4"] * is_found


@pytest.mark.parametrize(
    ("namespace", "kind", "names"),
    [
        ("aten", "FRAGMENT", ["reserved-namespace:5"]),
        ("prims", "FRAGMENT", ["reserved-namespace:5"]),
        ("prims", "DEF", []),
        ("mylib", "DEF", []),
    ],
)
def test_a_namespace_of_pytorch_is_left_to_the_source_that_owns_it(namespace, kind, names):
    text = f'{HEAD}LIBRARY = torch.library.Library("{namespace}", "{kind}")\nLIBRARY.define("op(Tensor(a!) x) -> ()")\n'
    assert found(text) == names
