"""What ``opgen import`` does: an ``ops.yaml`` from what C++ and Python sources, or a live process, register."""
