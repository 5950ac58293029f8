"""What ``opgen fmt`` does: a declaration read with its comments, put in order, laid out, and compared with what it was."""
