"""What ``opgen bench`` does: the calls of a library's ops beside calls of the same kernels registered by hand."""
