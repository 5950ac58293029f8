"""Operators as sources register them: C++, Python, and the live registry. Every reader yields the same `Registrations`."""
