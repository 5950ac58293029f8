"""``opgen bench``: times calls of a library's ops beside calls of the same kernels registered by hand."""
