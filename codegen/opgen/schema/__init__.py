"""The operator-schema language of ``m.def``: grammar, parser, syntax tree, printer, alias sets."""
