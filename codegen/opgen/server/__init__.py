"""The language server, `opgen server`: what `opgen lint` says, while one writes."""
