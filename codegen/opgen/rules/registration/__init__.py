"""Rules about what a declaration registers with PyTorch: fake kernels, autograd, autocast, vmap, kernels, tags."""
