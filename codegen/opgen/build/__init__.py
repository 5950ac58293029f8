"""From a declaration to a checked model, to files, and to binaries that were loaded and called."""
