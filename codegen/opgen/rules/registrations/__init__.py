"""Rules over hand-written registrations in C++, Python and live processes, joined by op."""
