"""A token: the piece of a text, its kind and its place."""

from __future__ import annotations


class Token(str):
    """A piece of a text, its kind (a terminal of the grammar) and where it stands."""

    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    start_pos: int
    end_pos: int

    def __new__(cls, kind: str, text: str, start_pos: int, end_pos: int) -> Token:  # noqa: PYI034 - Self is of Python 3.11
        """Make one; offsets as of Lark's tokens."""
        token = super().__new__(cls, text)
        token.type, token.start_pos, token.end_pos = kind, start_pos, end_pos
        return token
