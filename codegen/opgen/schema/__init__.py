"""The operator-schema language of ``m.def``: grammar, syntax tree, printer."""
