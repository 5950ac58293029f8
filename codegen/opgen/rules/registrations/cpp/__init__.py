"""Rules over what the C++ of a library registers."""
