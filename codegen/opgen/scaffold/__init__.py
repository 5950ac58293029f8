"""Creates new libraries, for ``opgen init``."""
