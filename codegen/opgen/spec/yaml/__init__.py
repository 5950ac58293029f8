"""YAML with the place of every character: PyYAML's events in, a tree of texts and diagnostics out (``composer``)."""

from opgen.spec.yaml.file import Read, read_source, shown_path
from opgen.spec.yaml.nodes import Mapping, Node, Pair, Scalar, Sequence

__all__ = ["Mapping", "Node", "Pair", "Read", "Scalar", "Sequence", "read_source", "shown_path"]
