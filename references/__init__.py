"""What the operators mean, where one expression can't say it, a module a theme. Tests call these with float64 tensors."""
