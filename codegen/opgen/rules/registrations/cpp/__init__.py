"""Rules over the registrations in C++ sources."""
