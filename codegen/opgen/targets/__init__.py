"""The generators: each module turns the resolved model of a library into one kind of output file."""
