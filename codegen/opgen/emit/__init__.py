"""The set of files as a value: compare, show, write."""
