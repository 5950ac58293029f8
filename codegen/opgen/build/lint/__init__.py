"""The run of ``opgen lint``: what is read, which findings count, and what is mended."""
