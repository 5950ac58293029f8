"""Rules about the contract of an op: written arguments, alias sets, roles."""
