"""``[tool.opgen]`` of ``pyproject.toml``, or ``opgen.toml``: what a project says once instead of by options."""
