"""The plan of an op as code: Python for fakes, C++ in front of kernels, the same words in both."""
