"""Reads registrations of operators from C++, Python and live processes; every reader returns `Registrations`."""
