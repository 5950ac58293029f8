"""Resolves `pointwise` and `reduce` to one typed program for each op, from which all its kernels are generated."""
