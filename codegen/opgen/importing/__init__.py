"""``opgen import``: makes an ``ops.yaml`` from the registrations in C++ and Python sources or a live process."""
