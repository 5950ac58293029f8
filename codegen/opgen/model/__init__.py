"""What a library means: frozen, every name resolved."""
