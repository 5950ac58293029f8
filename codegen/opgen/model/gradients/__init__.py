"""Resolves ``autograd``: which formula gives which gradient, and what a call has to save for ``backward``."""

from opgen.model.gradients.nodes import (
    AllGradients,
    ArgumentValue,
    Fact,
    Formula,
    FunctionCall,
    Gradient,
    Gradients,
    Mask,
    Meaning,
    OpCall,
    Result,
    SizeValue,
)

__all__ = [
    "AllGradients",
    "ArgumentValue",
    "Fact",
    "Formula",
    "FunctionCall",
    "Gradient",
    "Gradients",
    "Mask",
    "Meaning",
    "OpCall",
    "Result",
    "SizeValue",
]
