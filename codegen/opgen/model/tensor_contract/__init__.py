"""From the entries of ``tensors`` and ``checks`` to a plan: every name resolved, every step in an order that works."""

from opgen.model.tensor_contract.resolve import resolve_tensors

__all__ = ["resolve_tensors"]
