"""opgen: a schema-first code generator for PyTorch custom operators."""

__version__ = "0.1.0"
