"""Names that callers, PyTorch and generated code can live with."""
