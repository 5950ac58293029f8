"""One kind of change a file: its page, and how it is found."""
