"""CUDA kernels from expressions: a struct whose function computes a point of the iteration space, and its launcher."""
