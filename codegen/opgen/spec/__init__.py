"""Reads ``ops.yaml`` to dataclasses that hold its values as written, each with its location in the file."""
