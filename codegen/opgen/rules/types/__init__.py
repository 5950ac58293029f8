"""Types and defaults that mean what they say."""
