"""A library as a project of Hugging Face's kernel-builder, which builds it for every PyTorch and uploads it to the Hub."""
