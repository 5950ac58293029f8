"""New libraries, for ``opgen init``."""
