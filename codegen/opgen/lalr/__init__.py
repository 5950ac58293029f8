"""Parsers whose tables are made by Lark and shipped with opgen, so that a text is read without importing Lark."""
