"""The folder of a project's own templates.

A module of its own without imports, since a build with nothing to do needs this name and little else.
"""

CUSTOM_FOLDER = "opgen-templates"
"""Beside ``ops.yaml``: a file in it replaces the template of ``templates/`` with the same relative path."""
