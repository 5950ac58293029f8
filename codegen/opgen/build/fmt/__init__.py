"""``opgen fmt``: reads a declaration with its comments, sorts it, lays it out, and proves that it means the same."""
