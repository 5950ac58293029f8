"""What ``opgen status`` shows: how ready each op is."""
