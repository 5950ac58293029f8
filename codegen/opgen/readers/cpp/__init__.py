"""Registrations of operators in C++ and CUDA sources, read without a compiler.

The stages: ``lexical`` blanks comments and directives, ``branches`` chooses between branches of ``#if``, ``blocks``
finds the library blocks, ``calls`` the statements in them, ``statements`` reads each statement by tree-sitter, and
``lookup`` finds the functions that statements name. ``stores`` finds what functions write, for rules that ask for it.
"""

from opgen.readers.cpp.reader import read_cpp

__all__ = ["read_cpp"]
