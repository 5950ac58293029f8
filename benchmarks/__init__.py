"""How fast opgen is, beside its peers: ``python -m benchmarks``. Nothing here is timed by a test."""
