"""What a compiled library, or a wheel that holds some, really needs; and whether its metadata claims anything else."""
