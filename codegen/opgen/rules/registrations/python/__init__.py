"""Rules over what the Python of a library registers."""
