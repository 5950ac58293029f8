"""What holds for all tests."""

import os

# Tests run the opgen that stands here, not what it found yesterday; those of the cache name a folder of their own.
os.environ["OPGEN_NO_CACHE"] = "1"
