"""The configuration of a project, ``[tool.opgen]`` in ``pyproject.toml`` or ``opgen.toml``."""
