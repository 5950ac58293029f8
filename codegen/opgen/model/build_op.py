"""Resolves an entry of ``ops``: the roles of its arguments, its tensor contract, its kernels and tags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from opgen.diagnostics import Diagnostic, has_errors
from opgen.model.compute import torch_names
from opgen.model.contract import Contract, derive_contract, returns_argument
from opgen.model.kernel import Kernel
from opgen.model.op import Argument, Op, Output
from opgen.model.tags import derive_tags
from opgen.model.tensors import TensorContract
from opgen.schema import nodes as schema_nodes
from opgen.schema.aliases import alias_sets, aliased_arguments, is_written
from opgen.schema.nodes import FunctionSchema, OperatorName, Return
from opgen.schema.types import is_tensor, is_tensor_list
from opgen.source import Text
from opgen.spec.library import DispatchEntry, KernelKind, LibrarySpec, OpSpec

_SUFFIX: dict[KernelKind, str] = {"cpp": "cpp", "cuda": "cu", "triton": "py", "python": "py"}
_OF_TENSORS = DispatchEntry(Text.of("CPU"), "cpp")
_OF_NO_TENSORS = DispatchEntry(Text.of("CompositeExplicitAutograd"), "cpp")
_ANY_TENSORS = TensorContract()
_OF_OTHER_OPS = DispatchEntry(Text.of("CompositeImplicitAutograd"), "python")


def build_op(spec: OpSpec, library: LibrarySpec) -> tuple[Op, list[Diagnostic]]:
    """Resolve one op of a library; return it with the diagnostics found."""
    schema = spec.schema
    namespace = schema.name.namespace or library.namespace.value
    contract = derive_contract(schema)
    arguments = _arguments(spec, contract)
    outputs = _outputs(schema)
    has_program = bool(spec.pointwise or spec.reduce)
    if has_program:
        from opgen.model.compute.build import build_program, with_derived_contract, with_facts  # noqa: PLC0415 - for few ops

        spec = with_derived_contract(
            spec, arguments, outputs, lambda tried: _tensors(tried, _arguments(tried, contract), outputs, library)[0]
        )
        arguments = _arguments(spec, contract)
    tensors, diagnostics = _tensors(spec, arguments, outputs, library)
    program = None
    if has_program:
        program, found = build_program(spec, arguments, outputs, tensors, is_sound=not has_errors(diagnostics))
        diagnostics = [*diagnostics, *found]
        if program is not None:
            stated, spec = spec.checks, with_facts(spec, program)
            if spec.checks != stated:
                tensors, _ = _tensors(spec, arguments, outputs, library)
    if isinstance(spec.autograd, Text) and spec.autograd.value == "derived":
        from opgen.model.compute.build import derived_gradients  # noqa: PLC0415 - for few ops

        formulas, found = derived_gradients(spec, arguments, outputs, tensors, program, library.package)
        diagnostics = [*diagnostics, *found]
        spec = replace(spec, autograd=formulas or None)
    op = Op(
        namespace=namespace,
        schema=schema,
        contract=contract,
        arguments=arguments,
        outputs=outputs,
        tensors=tensors,
        kernels=_kernels(spec, namespace, library.package),
        tags=derive_tags(contract, arguments, tensors, (tag.value for tag in spec.tags)),
        abi=spec.abi or library.abi,
        doc=spec.doc or "",
        reference=_reference(spec, library),
        fake=_value(spec.fake),
        spec=spec,
        program=program,
    )
    return op, [replace(diagnostic, op=op.qualified_name) for diagnostic in diagnostics]


def _tensors(
    spec: OpSpec, arguments: tuple[Argument, ...], outputs: tuple[Output, ...], library: LibrarySpec
) -> tuple[TensorContract, list[Diagnostic]]:
    if not (spec.tensors or spec.checks):
        return _ANY_TENSORS, []
    from opgen.model.tensor_contract import resolve_tensors  # noqa: PLC0415 - bare schemas don't need it

    return resolve_tensors(spec, arguments, outputs, library)


def _reference(spec: OpSpec, library: LibrarySpec) -> str | None:
    if spec.pointwise or spec.reduce:
        return torch_names.place(library.package, torch_names.reference_name(spec.schema.name.identifier))
    return _value(spec.reference)


def _value(text: Text | None) -> str | None:
    return None if text is None else text.value


def _arguments(spec: OpSpec, contract: Contract) -> tuple[Argument, ...]:
    overwrites = {name.value for name in spec.overwrites}
    scratch = {name.value for name in spec.scratch}
    arguments = []
    for argument in spec.schema.arguments:
        written = is_written(argument)
        arguments.append(
            Argument(
                name=argument.name,
                type=argument.type,
                default=argument.default,
                kwarg_only=argument.kwarg_only,
                written=written,
                returned_as=_place(argument, spec.schema.returns) if written else None,
                # An out= kernel never reads its outs.
                overwrites=argument.name in overwrites or (written and contract is Contract.OUT),
                scratch=argument.name in scratch,
            )
        )
    return tuple(arguments)


def _place(argument: schema_nodes.Argument, returns: tuple[Return, ...]) -> int | None:
    return next((place for place, result in enumerate(returns) if returns_argument(result, argument)), None)


def _outputs(schema: FunctionSchema) -> tuple[Output, ...]:
    taken = {argument.name for argument in schema.arguments}
    outputs = []
    for index, return_ in enumerate(schema.returns):
        alias = _alias_of(return_, schema)
        default = "out" if len(schema.returns) == 1 else f"out{index}"
        name = alias if alias is not None else _free_name(return_.name or default, taken)
        taken.add(name)
        outputs.append(Output(name, return_.type, alias))
    return tuple(outputs)


def _alias_of(return_: Return, schema: FunctionSchema) -> str | None:
    """Return the name of the argument that a return is, or whose memory it shares (of a view)."""
    if not alias_sets(return_):
        return None
    same = [argument for argument in schema.arguments if returns_argument(return_, argument)]
    return next((argument.name for argument in same or aliased_arguments(schema, return_)), None)


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _kernels(spec: OpSpec, namespace: str, package: str) -> tuple[Kernel, ...]:
    if spec.registered is not None:
        return ()
    stated = spec.dispatch
    entries = (_default_dispatch(spec),) if stated is None else stated
    if not (spec.pointwise or spec.reduce):
        return tuple(_kernel(entry, namespace, spec.schema.name, "kernels") for entry in entries)
    kernels = (_kernel(entry, namespace, spec.schema.name, "generated/csrc/expressions") for entry in entries)
    in_python = torch_names.place(package, torch_names.fill_name(spec.schema.name.identifier))
    symbols = {"python": in_python, "triton": torch_names.triton_place(package, spec.schema.name.identifier)}
    return tuple(
        replace(kernel, symbol=symbols[kernel.kind], names_symbol=True) if kernel.is_python else kernel
        for kernel in kernels
    )


def _default_dispatch(spec: OpSpec) -> DispatchEntry:
    """Return the kernel of an op without ``dispatch``.

    It is `CPU: cpp`, but `CompositeExplicitAutograd: cpp` without a tensor argument, since such a call carries no
    dispatch key of a backend and would never reach a CPU kernel. With `autograd: composite` it is Python code that
    calls other ops.
    """
    if "autograd" in spec.keys and isinstance(spec.autograd, Text) and spec.autograd.value == "composite":
        return _OF_OTHER_OPS
    arguments = spec.schema.arguments
    has_tensor = any(is_tensor(argument.type) or is_tensor_list(argument.type) for argument in arguments)
    return _OF_TENSORS if has_tensor else _OF_NO_TENSORS


def _kernel(entry: DispatchEntry, namespace: str, name: OperatorName, folder: str) -> Kernel:
    key = entry.key.value
    identifier = name.identifier
    # One Triton file serves every backend that Triton compiles for.
    backend = "composite" if key.startswith("Composite") else "triton" if entry.kind == "triton" else key.lower()
    unit = f"{backend}/{identifier}"
    return Kernel(
        dispatch_key=key,
        kind=entry.kind,
        symbol=entry.symbol or f"{namespace}::{backend}::{identifier}",
        path=entry.file.value if entry.file else f"{folder}/{unit}.{_SUFFIX[entry.kind]}",
        unit=unit,
        allocates=entry.allocates,
        names_symbol=entry.symbol is not None,
        names_file=entry.file is not None,
    )
