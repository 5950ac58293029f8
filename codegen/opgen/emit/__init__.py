"""Compares the emitted files, as a value, with the disk, shows the differences, and writes them."""
