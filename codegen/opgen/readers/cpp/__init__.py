"""Registrations of operators in C++ and CUDA sources, read without a compiler.

The stages: ``lexical`` blanks what is no code, ``branches`` chooses between branches of ``#if``, ``blocks`` finds the library
blocks and the statements in them, ``statements`` reads each through tree-sitter, ``lookup`` finds the functions that they name.
"""

from opgen.readers.cpp.reader import read_cpp

__all__ = ["read_cpp"]
