"""The tensor contract of an op as code: Python in its fake kernel, C++ in front of its kernels, with equal messages."""
