"""``ops.yaml``: what its author wrote, with the place of every value."""
