"""Rules over the registrations in Python sources."""
