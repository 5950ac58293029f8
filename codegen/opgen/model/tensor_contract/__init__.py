"""Resolves the entries of ``tensors`` and ``checks`` to a plan, whose steps are in an order in which they can run."""

from opgen.model.tensor_contract.resolve import resolve_tensors

__all__ = ["resolve_tensors"]
