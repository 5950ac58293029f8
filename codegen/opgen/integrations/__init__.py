"""What other build systems take from opgen: a step that writes sources into their build tree, and CMake's package."""
