"""OPG538: an argument that is marked as written, and that C++ only reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.readers.cpp.lexical import without_literals
from opgen.rules.marks import unmark_fix
from opgen.rules.registrations.cpp.kernels import CppKernel, cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG538",
    name="cpp-unwritten-argument",
    severity=Severity.WARNING,
    summary="The schema marks an argument with `!`, but no C++ kernel of the op writes it.",
    why=(
        "A superfluous mark costs copies under `torch.compile` and prevents gradients. The rule considers kernels "
        "that only ask for the argument's shape and read it through `const_data_ptr`."
    ),
    bad=cpp(
        "void add_to(const at::Tensor& x, at::Tensor& out) {\n"
        "  TORCH_CHECK(x.is_contiguous());\n"
        "  out.add_(x.const_data_ptr<float>()[0]);\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("add_to(Tensor(a!) x, Tensor(b!) out) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("add_to", &add_to); }\n'
    ),
    good=cpp(
        "void add_to(const at::Tensor& x, at::Tensor& out) {\n"
        "  TORCH_CHECK(x.is_contiguous());\n"
        "  out.add_(x.const_data_ptr<float>()[0]);\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("add_to(Tensor x, Tensor(b!) out) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("add_to", &add_to); }\n'
    ),
    remedy="take the mark away",
)
_READS = (
    "const_data_ptr|size|sizes|stride|strides|numel|dim|is_contiguous|scalar_type|dtype|device|get_device|layout|defined|"
    "is_cuda|is_cpu|has_value|element_size|options"
)
_OF_NO_BACKEND = ("Meta", "Autograd", "ADInplaceOrView", "Autocast", "Functionalize")


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check all kernels of each op together."""
    kernels: dict[str, list[CppKernel]] = {}
    for kernel in cpp_kernels(joined):
        if not any(key.startswith(_OF_NO_BACKEND) for key in kernel.keys):
            kernels.setdefault(kernel.name, []).append(kernel)
    for name, made in kernels.items():
        op = made[0].op
        if len(made) < sum(one.role == "kernel" for one in joined.ops[name].implementations if "Meta" not in one.keys):
            continue  # some kernel is written in another language
        for index, argument in enumerate(op.schema.arguments):
            if is_written(argument) and all(_only_reads(kernel, index) for kernel in made):
                message = f"argument '{argument.name}' is marked as written, but the kernel only reads it"
                note = Note("the kernel is here", made[0].function.location)
                place = op.spec.func.locate(argument.span)
                help_ = f"take the `!` of '{argument.name}' away"
                fix = unmark_fix(op, argument.name)
                yield found_at(CODE, name, message, place, help=help_, notes=(note,), fix=fix)


def _only_reads(kernel: CppKernel, index: int) -> bool:
    """Whether a body reads the memory of an argument, and apart from that uses only its shape."""
    parameters, body = kernel.parameters or (), kernel.function.body
    if body is None or index >= len(parameters) or not parameters[index].name:
        return False
    code, name = without_literals(body.value), re.escape(parameters[index].name)
    named = re.findall(rf"\b{name}\b", code)
    read = re.findall(rf"\b{name}\s*(?:\.|->)\s*({_READS})\s*(?:<[^;<>()]*>\s*)?\(", code)
    return len(named) == len(read) and "const_data_ptr" in read


RULE = RegistrationRule(CODE, check)
