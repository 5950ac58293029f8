"""One module an output: the model in, files out."""
