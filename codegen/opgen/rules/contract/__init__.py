"""What a schema says about memory: writes, aliases, roles."""
