"""What is registered with PyTorch: fakes, autograd, overloads, kernels."""
