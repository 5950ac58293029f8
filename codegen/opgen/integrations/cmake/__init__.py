"""The CMake package ``opgen``: ``find_package(opgen)`` finds it here."""
