"""CUDA kernels from expressions: a struct with what is computed at a point, and the function that launches it."""
