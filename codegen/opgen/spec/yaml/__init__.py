"""Reads YAML from PyYAML's events to a tree of texts, in which each character has its location, and diagnostics."""

from opgen.spec.yaml.file import Read, read_source, shown_path
from opgen.spec.yaml.nodes import Mapping, Node, Pair, Scalar, Sequence

__all__ = ["Mapping", "Node", "Pair", "Read", "Scalar", "Sequence", "read_source", "shown_path"]
