"""Rules about the types and defaults in schemas."""
