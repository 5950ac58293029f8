"""Rules over hand-written registrations, of C++, Python and live modules, joined by the op that they are about."""
