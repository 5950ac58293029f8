"""The resolved model of a library: frozen dataclasses in which every name of ``ops.yaml`` has its meaning."""
